#include "properties/onnx/flex_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "derivation/bounds/roundings.h"
#include "properties/exchange/byte_source.h"
#include "properties/judge.h"
#include "properties/onnx/arithmetic.h"
#include "properties/onnx/call_problem.h"
#include "properties/onnx/graph/evaluate_graph.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/stored_answers.h"
#include "reference/exact/interval_enclosure.h"
#include "reference/exact/logit_row.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr std::int64_t most_keys_of_probabilities = 2048;  // their bounds cost the square

const onnx_conventions& newest_conventions() { return onnx_editions().back().conventions; }

bool is_infinite_point(const interval& x, int sign) {
  return is_point(x) && mpfr_inf_p(x.lower()) != 0 && mpfr_sgn(x.lower()) == sign;
}
bool is_infinite(const ranged& x, int sign) {
  return !x.is_nan && is_infinite_point(x.exact, sign) && is_infinite_point(x.held, sign);
}
bool is_finite(const ranged& x) { return !x.is_nan && is_bounded(x.exact) && is_bounded(x.held); }

// The largest distance of a number that is held from the exact one, rounded up.
double distance_of(const ranged& x) {
  return std::max(mpfr_get_d((x.held - x.exact).upper(), MPFR_RNDU),
                  mpfr_get_d((x.exact - x.held).upper(), MPFR_RNDU));
}

// What is due where nothing is a number, and where nothing can be said.
enum class row_class : std::uint8_t { numbers, nan, unknown };

// A row of scores as they enter the softmax.
struct modified_row {
  row_class kind = row_class::numbers;
  std::vector<given_logit> kept;  // those that are not -inf
  std::vector<double> errors;     // of theirs
};

modified_row row_of(std::span<const ranged> scores) {
  modified_row row;
  bool is_nan = false, is_open = false;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const ranged& x = scores[j];
    is_nan = is_nan || x.is_nan || is_infinite(x, 1);
    if (x.is_nan || is_infinite(x, -1)) continue;
    is_open = is_open || !is_finite(x);
    if (!is_finite(x)) continue;
    row.kept.push_back({static_cast<std::int64_t>(j), x.exact});
    row.errors.push_back(distance_of(x));
  }
  if (is_nan || (row.kept.empty() && !is_open))
    row.kind = row_class::nan;
  else if (is_open)
    row.kind = row_class::unknown;
  return row;
}

// The problem whose output at column j is the weight of key j.
problem weights_problem(problem p) {
  constexpr unsigned keys_and_columns = 0b1100;
  p.dims.value_width = p.dims.keys;
  p.v = tensor(p.v.element(), broadcast(p.dims.v_sizes(), keys_and_columns), 0);
  for (std::int64_t j = 0; j < p.dims.keys; ++j) p.v.set({0, 0, j, j}, 1);
  return p;
}

class flex_judge {
 public:
  flex_judge(const flex_call& call, const assurance& sure)
      : call_(call),
        sure_(sure),
        posed_(to_problem(call.plain, newest_conventions())),
        stored_(stored_output(call.plain)) {
    require_sizes();
    if (call.prob_mod != nullptr) weights_.emplace(weights_problem(posed_));
    set_exact_scores();
  }

  judged_answers under(const contract& kept) {
    judged_ = {};
    judged_.contract = kept.name;
    const graph_arithmetic numbers(kept);
    const ranged_tensor scores = modified(call_.score_mod, "score_mod", scores_of(kept), numbers);
    if (call_.prob_mod == nullptr)
      judge_rows(scores, kept);
    else
      judge_sums(modified(call_.prob_mod, "prob_mod", probabilities(scores, kept), numbers), kept);
    return std::move(judged_);
  }

 private:
  // --- The graphs ---

  void require_sizes() const {
    const shape& s = posed_.dims;
    count_of({s.batch, s.query_heads, s.queries, s.keys});
    if (s.keys == 0) throw not_taken("modifiers without keys");
    if (call_.prob_mod != nullptr && s.keys > most_keys_of_probabilities)
      throw not_taken(fmt::format("prob_mod over {} keys (up to {} are judged)", s.keys,
                                  most_keys_of_probabilities));
    for (const array* a : {&call_.plain.q, &call_.plain.k, &call_.plain.v})
      for (const double x : a->values)
        if (!std::isfinite(x)) throw not_taken("modifiers of inputs that are not finite");
  }

  ranged_tensor modified(const std::shared_ptr<const onnx_graph>& modifier, const char* name,
                         ranged_tensor given, const graph_arithmetic& numbers) const {
    if (modifier == nullptr) return given;
    const ranged_tensor like{given.kind, given.element, given.sizes, {}};
    const std::string where = call_.where + ": " + name;
    ranged_tensor result = evaluate_graph(*modifier, std::move(given), call_.outer, numbers, where);
    if (result.sizes != like.sizes)
      refuse(where, "an output of sizes [" + sizes_text(result.sizes) + "]",
             "[" + sizes_text(like.sizes) + "]");
    if (!result.has_type_of(like))
      refuse(where, "an output of type " + type_text(result), type_text(like));
    return result;
  }

  std::vector<std::int64_t> score_sizes() const {
    const index4 sizes = posed_.dims.score_sizes();
    return {sizes.begin(), sizes.end()};
  }

  ranged_tensor empty_scores() const {
    return {element_kind::floating, call_.softmax, score_sizes(), {}};
  }

  std::span<const ranged> row_at(const ranged_tensor& t, const row_index& place) const {
    const shape& s = posed_.dims;
    const std::int64_t row = (place.b * s.query_heads + place.h) * s.queries + place.i;
    return std::span(t.values).subspan(static_cast<std::size_t>(row * s.keys),
                                       static_cast<std::size_t>(s.keys));
  }

  // --- Scores ---

  interval scale() const {
    if (posed_.scale) return interval(*posed_.scale);
    return interval(1) / sqrt(interval(static_cast<double>(posed_.dims.width)));
  }

  void set_exact_scores() {
    const interval c = scale();
    for_each_row(posed_.dims, [&](const row_index& place) {
      for (std::int64_t j = 0; j < posed_.dims.keys; ++j) {
        interval sum(0);
        for (std::int64_t t = 0; t < posed_.dims.width; ++t)
          sum = sum + interval(posed_.q.at(place.b, place.h, place.i, t)) *
                          interval(posed_.k.at(place.b, posed_.kv_head(place.h), j, t));
        exact_scores_.push_back(c * sum);
      }
    });
  }

  // c q.k, held within the bound of a score.
  ranged_tensor scores_of(const contract& kept) const {
    ranged_tensor scores = empty_scores();
    auto exact = exact_scores_.begin();
    for_each_row(posed_.dims, [&](const row_index& place) {
      std::vector<given_logit> logits;
      for (std::int64_t j = 0; j < posed_.dims.keys; ++j) logits.push_back({j, *exact++});
      exact_row row = row_of_logits(posed_, place, logits).row;
      row.output.resize(static_cast<std::size_t>(posed_.dims.value_width));  // no score needs it
      const forward_bound bound(kept, posed_, place, row, sure_);
      for (std::size_t n = 0; n < logits.size(); ++n) {
        const double error = raise * bound.logit(n);
        const interval moved = logits[n].logit + interval::between(-error, error);
        scores.values.push_back(
            {logits[n].logit, bound.in_domain() ? moved : interval::whole_line()});
      }
    });
    return scores;
  }

  exact_row described(const row_index& place, std::span<const given_logit> logits) const {
    logit_row row = row_of_logits(posed_, place, logits);
    for (std::int64_t d = 0; d < posed_.dims.value_width; ++d)
      row.row.output.push_back(row.output(posed_, place, d));
    return std::move(row.row);
  }

  // --- Without prob_mod: the bound of a row whose logits are given ---

  void judge_rows(const ranged_tensor& scores, const contract& kept) {
    for_each_row(posed_.dims, [&](const row_index& place) {
      const modified_row modified = row_of(row_at(scores, place));
      ++judged_.found.rows;
      if (modified.kind != row_class::numbers) {
        judge_special(place, modified.kind, kept);
        return;
      }
      const exact_row row = described(place, modified.kept);
      const forward_bound bound(kept, posed_, place, row, sure_, modified.errors);
      if (!bound.in_domain()) {
        ++judged_.found.out_of_domain;
        judged_.found.undecided += posed_.dims.value_width;
      }
      for (std::int64_t d = 0; d < posed_.dims.value_width; ++d) {
        const enclosure& value = row.output[static_cast<std::size_t>(d)];
        count(place, d, value);
        if (!bound.in_domain()) continue;
        judge(place, d,
              {value, bound.output(d), std::fmax(bound.hull(d), std::fabs(value.high)), kept.output,
               bound.likely_output(d)});
      }
    });
  }

  void judge_special(const row_index& place, row_class kind, const contract& kept) {
    for (std::int64_t d = 0; d < posed_.dims.value_width; ++d) judge_special(place, d, kind, kept);
  }

  void judge_special(const row_index& place, std::int64_t d, row_class kind, const contract& kept) {
    if (kind == row_class::unknown) {
      ++judged_.found.undecided;
      return;
    }
    count(place, d, {not_a_number, 0, 0});
    judge(place, d, {{not_a_number, 0, 0}, 0, 0, kept.output});
  }

  // --- With prob_mod: weights within their bounds, the graph, and a sum ---

  ranged_tensor probabilities(const ranged_tensor& scores, const contract& kept) const {
    ranged_tensor result = empty_scores();
    for_each_row(posed_.dims, [&](const row_index& place) {
      const modified_row modified = row_of(row_at(scores, place));
      const std::size_t first = result.values.size();
      const ranged otherwise = modified.kind == row_class::nan       ? ranged::nan()
                               : modified.kind == row_class::unknown ? ranged::unknown()
                                                                     : ranged::known(0);
      result.values.resize(first + static_cast<std::size_t>(posed_.dims.keys), otherwise);
      if (modified.kind == row_class::numbers)
        set_weights(place, modified, kept, std::span(result.values).subspan(first));
    });
    return result;
  }

  // A weight is the output at a column of V that is 1 at its key and 0 elsewhere.
  void set_weights(const row_index& place, const modified_row& modified, const contract& kept,
                   std::span<ranged> weights) const {
    logit_row row = row_of_logits(*weights_, place, modified.kept);
    row.row.output.resize(weights.size());
    for (std::size_t n = 0; n < row.weights.size(); ++n)
      row.row.output[static_cast<std::size_t>(row.row.keys[n].key)] = enclose(row.weights[n]);
    const forward_bound bound(kept, *weights_, place, row.row, sure_, modified.errors);
    for (std::size_t n = 0; n < row.weights.size(); ++n) {
      const std::int64_t key = row.row.keys[n].key;
      const double error = raise * bound.output(key);
      const interval moved = row.weights[n] + interval::between(-error, error);
      weights[static_cast<std::size_t>(key)] = {
          row.weights[n], bound.in_domain() ? max_of(moved, interval(0)) : interval::whole_line()};
    }
  }

  void judge_sums(const ranged_tensor& probabilities, const contract& kept) {
    for_each_row(posed_.dims, [&](const row_index& place) {
      ++judged_.found.rows;
      const std::span<const ranged> row = row_at(probabilities, place);
      const auto is_nan = [](const ranged& x) { return x.is_nan; };
      const bool has_nan = std::any_of(row.begin(), row.end(), is_nan);
      if (has_nan || !std::all_of(row.begin(), row.end(), is_finite)) {
        judge_special(place, has_nan ? row_class::nan : row_class::unknown, kept);
        return;
      }
      for (std::int64_t d = 0; d < posed_.dims.value_width; ++d) judge_sum(place, d, row, kept);
    });
  }

  // Source: derivation/bounds/graphs.md#output.
  void judge_sum(const row_index& place, std::int64_t d, std::span<const ranged> row,
                 const contract& kept) {
    interval sum(0);
    double moved = 0, size = 0, values = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double v =
          posed_.v.at(place.b, posed_.kv_head(place.h), static_cast<std::int64_t>(j), d);
      sum = sum + row[j].exact * interval(v);
      moved += distance_of(row[j]) * std::fabs(v);
      size += (std::fabs(middle(row[j].exact)) + distance_of(row[j])) * std::fabs(v);
      values += std::fabs(v);
    }
    const enclosure value = enclose(sum);
    count(place, d, value);
    const double error = moved + sum_error(kept, static_cast<double>(row.size()), size, values);
    const double bound = with_store(kept, value.high, raise * error);
    judge(place, d, {value, bound, size, kept.output});
  }

  // Of products that are stored weights times values, added in any order, in parts or at once.
  static double sum_error(const contract& c, double keys, double size, double values) {
    const double groups = c.fused_terms == 0 ? 0 : keys + c.merges;
    const accumulation sum = accumulate(keys + c.merges + 1, c.output_sum, groups);
    const double relative = (1 + sum.error()) * (1 + unit_of(c.weight_storage)) *
                                (1 + growth(c.v_conversion.times, unit_of(c.v_conversion.to))) *
                                (1 + c.merges * unit_of(c.partial_storage)) -
                            1;
    return relative * size + underflow_of(c.weight_storage) * values +
           2 * (keys + c.merges) * underflow_of(c.output_sum) +
           c.merges * underflow_of(c.partial_storage);
  }

  static double with_store(const contract& c, double x, double error) {
    const stage output{c.output, c.output_mode, c.output_subnormals};
    return error + unit_of(output) * (std::fabs(x) + error) + underflow_of(output);
  }

  // --- Elements ---

  double stored_at(const row_index& place, std::int64_t d) const {
    return stored_.at(place.b, place.h, place.i, d);
  }

  void judge(const row_index& place, std::int64_t d, const due& element) {
    judge_element(judged_.found, element, stored_at(place, d), place_of("Y", place, d), "Y");
  }

  void count(const row_index& place, std::int64_t d, const enclosure& exact) {
    const format& f = stored_.element();
    judged_.ulps.add(f, stored_at(place, d), round_to(f, {}, exact.high, exact.low));
  }

  const flex_call& call_;
  assurance sure_;
  problem posed_;
  std::optional<problem> weights_;
  tensor stored_;
  std::vector<interval> exact_scores_;
  judged_answers judged_;
};

judged_answers judge_plain(const attention_call& call, const contract& kept,
                           const assurance& sure) {
  return {judge_stored(call, newest_conventions(), {kept, sure}), kept.name, {}};
}

}  // namespace

judged_answers judge_flex(const flex_call& call, const assurance& sure) {
  std::optional<flex_judge> modified;
  if (call.is_modified()) modified.emplace(call, sure);
  judged_answers judged;
  for (const contract& kept : contracts_for(call.plain)) {
    judged = modified ? modified->under(kept) : judge_plain(call.plain, kept, sure);
    if (every_element_holds(judged.found)) break;
  }
  if (!modified) judged.ulps = count_ulps(call.plain, newest_conventions());
  return judged;
}

}  // namespace attest
