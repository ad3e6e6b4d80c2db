#include "derivation/bounds/member_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "derivation/bounds/dropout.h"
#include "derivation/bounds/roundings.h"
#include "derivation/bounds/sums_over_keys.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double raise = 1 + 1e-9;

bool fits(double value, const stage& s) { return value < largest_finite(*s.number) / 2; }

// Weights may be divided by their sum before they meet v, or the sum of products after it: then
// logits are held in their place, scaled or not; where keys are summed first, what is made of keys.
double largest_weight(const bounded_row& row, const factors& parts) {
  const normalizer n = row.posed.rules.normalised_by;
  double largest = std::max(1.0, parts.key);
  for (const exact_key& key : row.exact.keys) {
    if (n == normalizer::ratio || n == normalizer::identity)
      largest = std::max({largest, std::fabs(key.logit), key.magnitude, key.unscaled});
    if (n == normalizer::relu_ratio) largest = std::max(largest, key.logit);
    if (std::isfinite(key.weight)) largest = std::max(largest, std::fabs(key.weight));
  }
  return largest;
}

}  // namespace

member_bound::member_bound(const bounded_row& row)
    : columns_(row.exact.output.size(), column{infinity, infinity}) {
  if (row.exact.weightless) {
    in_domain_ = surely_weightless(row.posed, row.exact, row.scores);
    return;
  }
  const auto errors = weight_errors(row.kept, row.posed, row.exact, row.scores);
  const factors parts = factors_of(row.posed, row.place, row.exact);
  in_domain_ = errors.has_value() && stages_hold(row, parts);
  for (std::size_t d = 0; errors && d < columns_.size(); ++d)
    columns_[d] = column_of(row, *errors, parts, static_cast<std::int64_t>(d));
}

bool member_bound::stages_hold(const bounded_row& row, const factors& parts) const {
  const contract& c = row.kept;
  const double weight = largest_weight(row, parts),
               count = static_cast<double>(row.exact.keys.size());
  double largest = 0;
  for (std::size_t d = 0; d < columns_.size(); ++d) {
    double sum = 0;
    for (std::size_t n = 0; n < row.exact.keys.size(); ++n)
      sum += std::fabs(row.exact.value(row.posed, row.place, n, static_cast<std::int64_t>(d)));
    largest = std::max(largest, sum);
  }
  const bool narrows = c.v_conversion.times > 0 &&
                       largest_finite(*c.v_conversion.to.number) < largest_finite(*c.inputs);
  return fits(weight * count, c.weight_sum) && fits(weight * count, c.exponent) &&
         weight * c.weight_of_one <= largest_finite(*c.weight_storage.number) &&
         dropout_error(c, row.posed).fits(weight * c.weight_of_one, row.place, row.exact) &&
         fits(weight * c.weight_of_one * largest, c.output_sum) &&
         (c.merges == 0 || fits(weight * c.weight_of_one * largest, c.partial_storage)) &&
         (!narrows || fits(largest, c.v_conversion.to));
}

// The weights of wrong scores sum to 1, as the exact ones do: what they move, they move between
// values. All else is relative to the terms of the sum.
member_bound::column member_bound::column_of(const bounded_row& row,
                                             const std::vector<weight_error>& errors,
                                             const factors& parts, std::int64_t d) const {
  const contract& c = row.kept;
  const double o = row.exact.output[static_cast<std::size_t>(d)].high;
  const double count = static_cast<double>(row.exact.keys.size());
  const double groups =
      c.fused_terms == 0 ? 0 : std::min(count, std::ceil(count / 4) + 1 + c.merges);
  const double merges = c.merges == 0 ? 0 : std::clamp<double>(count - 1, 1, c.merges);
  const double values =
      growth(c.v_conversion.times, unit_of(c.v_conversion.to)) +
      (c.quantised_to ? unit_of({c.quantised_to}) + 2 * unit_of(c.output_sum) : 0);
  const double partial =
      merges * (store_error(c.partial_storage, c.output_sum) + 3 * unit_of(c.output_sum));
  const dropout_error dropout(c, row.posed);
  const double summed = (1 + store_error(c.weight_storage, c.exponent)) * (1 + values) *
                            (1 + partial) *
                            (1 + accumulate(count + merges + 4, c.output_sum, groups).error()) -
                        1;
  const double rounded = summed + (1 + summed) * dropout.rounded();
  const double unstored =
      (1 + dropout.products()) * underflow_of(c.weight_storage) / c.weight_of_one;
  double moved = 0, own = 0, size = 0, lost = 0, hull = 0;
  for (std::size_t n = 0; n < errors.size(); ++n) {
    const double v = row.exact.value(row.posed, row.place, n, d), distance = std::fabs(v - o);
    const double weight = std::fabs(row.exact.keys[n].weight) + errors[n].moved + errors[n].own;
    moved += errors[n].moved * distance;
    own += errors[n].own * std::fabs(v);
    size += weight * std::fabs(v);
    lost += weight > 0 ? unstored * std::fabs(v) : 0;
    if (!row.quanta.empty()) lost += dropout.scale() * weight * row.quanta[n];
    hull = std::max(hull, distance);
  }
  if (row.posed.rules.normalised_by != normalizer::ratio) moved = std::min(moved, raise * hull);
  const double largest = std::max(largest_weight(row, parts), parts.query);
  const double unscaled =
      ((2 + dropout.products()) * count + 3 * merges + 2) * std::max(1.0, parts.query) *
          (underflow_of(c.output_sum) + (merges > 0 ? underflow_of(c.partial_storage) : 0)) +
      c.v_conversion.times * underflow_of(c.v_conversion.to) * count * largest +
      (c.output_sum.subnormals == subnormal_mode::flushed
           ? smallest_normal(*c.inputs) * count * largest
           : 0);
  lost += dropout.scale() * unscaled + dropout.underflow() * count * largest;
  const double error = moved + own + rounded * size + lost;
  const double divided = (1 + 2 * c.division_ulps * unit_of(c.output_sum)) *
                             (1 + unit_of(c.output_sum)) * (1 + unit_of(*c.output, c.output_mode)) -
                         1;
  const double bound =
      raise * (divided * (std::fabs(o) + error) +
               underflow_of(*c.output, c.output_mode, c.output_subnormals) + error);
  return {std::isnan(bound) ? infinity : bound,
          raise * hull + row.exact.output[static_cast<std::size_t>(d)].radius};
}

}  // namespace attest
