#include "reference/exact/member_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/definition/attention.h"
#include "reference/definition/bias.h"
#include "reference/exact/interval_enclosure.h"
#include "reference/exact/interval_weights.h"
#include "reference/exact/score_size.h"
#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

constexpr int first_bits = 128, last_bits = 4096;
constexpr double infinity = std::numeric_limits<double>::infinity();

// --- The row ---

std::vector<interval> logits_of(const problem& p, const row_index& place,
                                const std::vector<std::int64_t>& keys) {
  const auto c = scale_of<interval>(p);
  std::vector<interval> logits;
  for (std::int64_t j : keys)
    logits.push_back(capped_and_biased(p, place, j, raw_score(p, place, j, c)));
  if (!p.sink.empty()) logits.emplace_back(p.sink[static_cast<std::size_t>(place.h)]);
  return logits;
}

interval lse_of(const problem& p, const row_enclosure& row) {
  if (!p.rules.is_softmax()) return no_lse<interval>();
  const bool apart = !p.sink.empty() && p.rules.sink == lse_sink::left_out;
  std::vector<interval> summed = row.logits;
  if (apart) summed.pop_back();
  return lse_of_keys(p.rules, summed);
}

}  // namespace

row_enclosure enclose_row(const problem& p, const row_index& place) {
  row_enclosure row;
  row.keys = key_set(p, place);
  row.logits = logits_of(p, place, row.keys);
  if (!row.logits.empty())
    row.weights = enclose_weights(p.rules.normalised_by, p.alpha, row.logits);
  row.lse = lse_of(p, row);
  if (row.logits.empty() || row.weightless())
    row.output = empty_row_output<interval>(p, place);
  else
    row.output =
        weighted_values(p, place, attention_row<interval>{row.keys, {}, row.weights, {}, {}});
  return row;
}

namespace {

// --- As an exact_row ---

exact_key describe_key(const problem& p, const row_index& place, std::int64_t j,
                       const interval& logit, double scale) {
  const double bias = has_bias(p) && !is_capped_mask(p, place, j) ? bias_of(p, place, j) : 0;
  const bool added_last = has_bias(p) && !p.rules.caps_bias();
  const score_size size = size_of_score(p, place, j);
  return {.key = j,
          .logit = middle(logit),
          .capped = std::fabs(middle(added_last ? logit - interval(bias) : logit)),
          .bias = std::fabs(bias),
          .magnitude = scale * size.terms,
          .unscaled = size.terms,
          .operands = size.operands};
}

void describe(const problem& p, const row_index& place, const row_enclosure& row,
              exact_row& result) {
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    result.keys.push_back(describe_key(p, place, row.keys[n], row.logits[n], result.scale));
  if (!p.sink.empty()) {
    const double sink = p.sink[static_cast<std::size_t>(place.h)];
    result.keys.push_back({.key = sink_key, .logit = sink, .capped = std::fabs(sink)});
  }
  if (row.logits.empty()) return;
  result.weightless = row.weightless();
  const interval greatest = greatest_of(row.logits);
  result.greatest = middle(greatest);
  for (std::size_t n = 0; n < row.logits.size(); ++n) {
    result.keys[n].gap = std::max(0.0, middle(greatest - row.logits[n]));
    result.keys[n].weight = result.weightless ? 0 : middle(row.weights[n]);
  }
  if (p.rules.is_softmax())
    result.log_mass = std::max(0.0, middle(interval(0) - log(greatest_of(row.weights))));
}

// sum |a v|
double magnitude(const problem& p, const row_index& place, const exact_row& row, std::int64_t d) {
  double sum = 0;
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    sum += std::fabs(row.keys[n].weight * row.value(p, place, n, d));
  return sum;
}

bool is_narrow(const interval& x, double size) {
  constexpr double share = 0x1p-77, least = 0x1p-1000;
  return is_finite(x) && width(x) <= share * size + least;
}

bool is_settled(const problem& p, const row_index& place, const row_enclosure& row,
                const exact_row& described) {
  if (p.rules.is_softmax() && !row.logits.empty() &&
      !is_narrow(row.lse, 1 + std::fabs(middle(row.lse))))
    return false;
  constexpr double weight_share = 0x1p-54, least_weight = 0x1p-100;
  for (const interval& x : row.weights)
    if (!(width(x) <= weight_share * std::fabs(middle(x)) + least_weight)) return false;
  for (std::size_t d = 0; d < row.output.size(); ++d) {
    const double size = described.empty() ? std::fabs(middle(row.output[d]))
                                          : magnitude(p, place, described, static_cast<int>(d));
    if (!is_narrow(row.output[d], size)) return false;
  }
  return true;
}

// What is not finite in the definition is so by rule; where only the intervals do not tell, nothing
// is known.
enclosure as_defined(const interval& x, const mpfr_real& defined) {
  if (is_finite(x)) return enclose(x);
  const double value = to_double(defined);
  return std::isfinite(value) ? enclosure{value, 0, infinity} : enclosure{value, 0, 0};
}

void set_answers(const problem& p, const row_index& place, const row_enclosure& row,
                 exact_row& result) {
  const bool known = all_finite(row.output);
  const interval lse = as_declared(p.rules, row.lse);
  attention_row<mpfr_real> defined;
  const working_precision scope(interval_precision::bits());
  if (!known || !is_finite(lse)) defined = attention<mpfr_real>(p, place);
  for (std::size_t d = 0; d < row.output.size(); ++d)
    result.output.push_back(known ? enclose(row.output[d])
                                  : as_defined(row.output[d], defined.output[d]));
  result.lse = is_finite(lse) ? enclose(lse) : as_defined(lse, as_declared(p.rules, defined.lse));
}

exact_row evaluate(const problem& p, const row_index& place, int bits, bool must_settle,
                   bool& settled) {
  const interval_precision scope(bits);
  const row_enclosure row = enclose_row(p, place);
  exact_row result;
  result.scale = std::fabs(middle(scale_of<interval>(p)));
  describe(p, place, row, result);
  settled = is_settled(p, place, row, result);
  if (settled || must_settle) set_answers(p, place, row, result);
  return result;
}

}  // namespace

exact_row compute_member_row(const problem& p, const row_index& place, int bits) {
  bool settled = false;
  return evaluate(p, place, bits, true, settled);
}

exact_row compute_member_row(const problem& p, const row_index& place) {
  for (int bits = first_bits;; bits *= 2) {
    bool settled = false;
    exact_row row = evaluate(p, place, bits, bits == last_bits, settled);
    if (settled || bits == last_bits) return row;
  }
}

}  // namespace attest
