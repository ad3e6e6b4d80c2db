#include <algorithm>
#include <string>

#include "derivation/claims/agreement.h"
#include "derivation/claims/catalogue.h"
#include "derivation/claims/cell_trace.h"
#include "derivation/claims/single_head.h"
#include "reference/text.h"

namespace attest {
namespace {

constexpr int required_digits = 45;
constexpr int shown_digits = required_digits;

// What "sat" takes from the words, in the first column. dk = 3, so that every product is done in
// the head.
const std::vector<std::string> words{"the", "cat", "sat", "down"};
const matrix queries{{1, 1, 0}, {0, 2, 1}, {1, 0, 2}, {-1, 1, 1}};
const matrix keys{{1, 1, 0}, {0, 2, 1}, {2, 0, 1}, {1, -1, -1}};
const matrix values{{1, 0}, {2, 1}, {3, 0}, {4, 1}};
constexpr std::size_t asking = 2;
const output_cell cell{{0, 0, static_cast<std::int64_t>(asking)}, 0};

problem sentence() { return single_head(queries, keys, values); }

using traced = cell_trace<std::string>;

// Every number of a trace, in the order of step_names.
std::vector<std::string> numbers_of(const traced& t) {
  std::vector<std::string> all;
  for (const auto* step : {&t.sums, &t.scores, &t.exponentials})
    all.insert(all.end(), step->begin(), step->end());
  all.push_back(t.denominator);
  for (const auto* step : {&t.weights, &t.terms}) all.insert(all.end(), step->begin(), step->end());
  all.insert(all.end(), {t.output, t.defined});
  return all;
}

std::string factor(double x) {
  std::string digits = to_text(x);
  if (x < 0) digits.append(")").insert(digits.begin(), '(');
  return digits;
}

// "1*1 + 0*1 + 2*0"
std::string products(std::size_t j) {
  std::string text;
  for (std::size_t t = 0; t < keys[j].size(); ++t)
    text += (t == 0 ? "" : " + ") + factor(queries[asking][t]) + "*" + factor(keys[j][t]);
  return text;
}

struct step_name {
  std::string what, formula;
};

std::vector<step_name> step_names() {
  std::vector<step_name> names;
  const auto for_each_key = [&](const std::string& what, auto formula) {
    for (std::size_t j = 0; j < words.size(); ++j)
      names.push_back({what + ", " + words[j], formula(j)});
  };
  for_each_key("q.k", [](std::size_t j) { return products(j); });
  for_each_key("score", [](std::size_t) { return "sum / sqrt(3)"; });
  for_each_key("exponential", [](std::size_t) { return "exp(score)"; });
  names.push_back({"denominator", "sum of the exponentials"});
  for_each_key("weight", [](std::size_t) { return "exponential / denominator"; });
  for_each_key("share", [](std::size_t j) { return "weight * " + factor(values[j][0]); });
  names.push_back({"output", "sum of the shares"});
  names.push_back({"by the definition", "attention.h"});
  return names;
}

evidence_table trace_table(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  evidence_table table{
      "The cell of 'sat', first column, to the digits on which both evaluations agree",
      {"step", "formula", "value"},
      {},
      false,
      std::nullopt};
  const std::vector<step_name> names = step_names();
  for (std::size_t n = 0; n < names.size(); ++n)
    table.rows.push_back(
        {names[n].what, names[n].formula, shared_digits(a[n], b[n], shown_digits)});
  table.marked = table.rows.size() - 2;
  return table;
}

int least_agreement(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  int least = most_digits;
  for (std::size_t n = 0; n < a.size(); ++n) least = std::min(least, agreeing_digits(a[n], b[n]));
  return least;
}

negative_control divided_by_width() {
  const traced wrong = trace_in_100_digits(sentence(), cell, score_divisor::width);
  const int agreement = agreeing_digits(wrong.output, wrong.defined);
  return {"the sums are divided by dk = 3 instead of sqrt(3)",
          "trace and definition share " + std::to_string(agreement) + " of the " +
              std::to_string(required_digits) + " digits required",
          agreement < required_digits};
}

evidence check() {
  const traced hundred = trace_in_100_digits(sentence(), cell, score_divisor::root_of_width);
  const traced fifty = trace_in_50_digits(sentence(), cell, score_divisor::root_of_width);
  const std::vector<std::string> a = numbers_of(hundred), b = numbers_of(fifty);
  const int between = least_agreement(a, b);
  const int defined = std::min(agreeing_digits(hundred.output, hundred.defined),
                               agreeing_digits(fifty.output, fifty.defined));
  evidence found;
  found.holds = between >= required_digits && defined >= required_digits;
  found.lines = {"each of the " + std::to_string(a.size()) +
                     " numbers: 50 digits (Boost) and 100 digits (MPFR) agree to " +
                     std::to_string(between) + " digits or more (" +
                     std::to_string(required_digits) + " required)",
                 "the traced output and the definition's agree to " + std::to_string(defined) +
                     " digits or more in either arithmetic"};
  found.tables = {trace_table(a, b)};
  found.controls = {divided_by_width()};
  return found;
}

}  // namespace

const claim claims::one_cell{
    "one_cell",
    "shape_and_formula",
    "One number of the output, followed by hand through 4 words and dk = 3, products to mix, is "
    "the one that the definition gives.",
    "The scale is 1/sqrt(dk); no mask, bias, sink or cap.",
    evidence_kind::digits,
    "reference/definition/attention.h, steps 1, 5 and 6; Vaswani et al. 2017, equation 1",
    check};

}  // namespace attest
