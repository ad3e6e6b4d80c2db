#include "derivation/bounds/dropout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "derivation/bounds/roundings.h"
#include "reference/formats/spacing.h"

namespace attest {
namespace {

// Formats of 8 bits have no room for what s multiplies.
bool stores_products(const contract& c) { return c.weight_storage.number->storage_bits > 8; }

bool holds(const stage& s, double value) { return value < largest_finite(*s.number) / 2; }

// max |v| over the row's keys.
double largest_value(const problem& p, const row_index& place, const exact_row& row) {
  double largest = 0;
  std::vector<double> values(static_cast<std::size_t>(p.dims.value_width));
  for (const exact_key& key : row.keys) {
    if (key.key == sink_key) continue;
    p.v.read(place.b, p.kv_head(place.h), key.key, values);
    for (double v : values) largest = std::max(largest, std::fabs(v));
  }
  return largest;
}

// Of s as it is held, where it is computed from p: (1 + u) / (1 - (s + 1) u) - 1, without the 1.
double scale_error(double scale, double unit) {
  const double of_inverse = (scale + 1) * unit;
  return of_inverse < 0.5 ? (of_inverse + unit) / (1 - of_inverse)
                          : std::numeric_limits<double>::infinity();
}

}  // namespace

dropout_error::dropout_error(const contract& c, const problem& p)
    : contract_(c), problem_(p), applies_(p.dropout_mask.has_value()) {
  if (!applies_) return;
  scale_ = p.dropout_scale;
  const double unit = std::max(unit_of(c.exponent), unit_of(c.output_sum));
  const double stored = std::max(unit, unit_of(c.weight_storage));
  if (!is_power_of_two(scale_)) rounded_ = both(scale_error(scale_, unit), both(unit, stored));
  underflow_ = underflow_of(c.weight_storage) + 2 * underflow_of(c.output_sum);
}

bool dropout_error::fits(double weight, const row_index& place, const exact_row& row) const {
  if (!applies_ || scale_ == 1) return true;
  const contract& c = contract_;
  return holds(c.exponent, scale_ * weight) &&
         (!stores_products(c) ||
          (holds(c.weight_storage, scale_ * weight) &&
           holds(c.weight_storage, scale_ * largest_value(problem_, place, row))));
}

}  // namespace attest
