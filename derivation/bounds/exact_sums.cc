#include "derivation/bounds/exact_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/elementary/elementary.h"
#include "reference/formats/spacing.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double

// By how much 1 / x is off where x is off by theta.
double inverse_error(double theta) { return theta < 1 ? theta / (1 - theta) : infinity; }

// The error of a product of factors that are off by a and b.
double compound(double a, double b) { return a + b + a * b; }

bool is_nearest(const stage& s) { return s.mode == rounding_mode::nearest_even; }

}  // namespace

double rounding_step(const format& f, rounding_mode mode, subnormal_mode subnormals, double size) {
  if (size == 0) return 0;
  if (subnormals == subnormal_mode::flushed && size < smallest_normal(f)) return size;
  const double spacing = spacing_at(f, size);
  return mode == rounding_mode::nearest_even ? spacing / 2 : spacing;
}

bool level_row_bound::covers(const contract& c) {
  constexpr double most_threshold = 500;  // half of what makes a key faint
  return c.shift == exponent_shift::maximum && c.shift_by == 0 && c.quantised_to == nullptr &&
         c.rescale_threshold <= most_threshold && is_nearest(c.weight_storage) &&
         is_nearest(c.exponent) && is_power_of_two(c.weight_of_one);
}

level_row_bound::level_row_bound(const contract& c, const level_row& row)
    : contract_(c), row_(row), log_keys_(log_double(row.keys)) {
  const double all = row.keys + row.faint, unit = unit_of(c.exponent);
  merges_ = c.merges == 0 ? 0 : std::clamp<double>(all - 1, 1, c.merges);
  const double shifted = argument_roundings(c) * unit * log_double(c.weight_of_one);
  weight_error_ = compound(2 * c.exp_ulps * unit, shifted * (1 + shifted));
  faint_weight_ = (1 + 2 * c.exp_ulps) * underflow_of(c.exponent);
}

// --- Weights ---

// eta: of a weight as it is stored. To nearest, what is closer to 1 than half of the spacing below
// it is 1.
double level_row_bound::stored_weight_error(double weight_error) const {
  const contract& c = contract_;
  const double stored = store_error(c.weight_storage, c.exponent);
  if (stored == 0) return weight_error;
  return weight_error < stored / 2 ? 0 : compound(weight_error, stored);
}

// --- Numerators, relative to Z / n ---

// Weights of exactly 1 and integers whose sums the accumulator holds. A faint weight that is not 0
// is rounded off by a sum to nearest; a matrix unit may do anything with it.
bool level_row_bound::sums_exactly(const integer_column& column, double weight_error) const {
  const contract& c = contract_;
  const bool held = column.size < std::ldexp(1, c.output_sum.number->precision - 1);
  const bool faint_is_lost = row_.faint == 0 || (is_nearest(c.output_sum) && c.fused_terms == 0);
  return weight_error == 0 && held && faint_is_lost;
}

// Adding 0 rounds nothing, so only terms count that are not 0; but a matrix unit rounds by groups.
double level_row_bound::numerator_growth(const integer_column& column) const {
  const contract& c = contract_;
  const bool fused = c.fused_terms != 0;
  const double terms = (fused ? row_.keys : column.terms) + row_.faint + merges_ + 1;
  return accumulate(terms, c.output_sum, fused ? terms : 0).error();
}

double level_row_bound::quotient_error(const integer_column& column) const {
  const double stored = stored_weight_error(weight_error_);
  if (sums_exactly(column, stored)) return 0;
  return compound(stored, numerator_growth(column));
}

// p / l or exp(t - lse), stored.
double level_row_bound::normalised_error(const integer_column& column) const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const double from_lse = c.may_use_lse ? argument_roundings(c) * unit * log_keys_ : 0;
  const double divided = 2 * (c.division_ulps + 1) * unit;
  const double computed = compound(weight_error_, std::max(divided, from_lse * (1 + from_lse)));
  return compound(compound(computed, unit_of(c.weight_storage)), numerator_growth(column));
}

// One level: the lse of a part, the argument of its weight, its exponential, and the part itself.
double level_row_bound::merge_error() const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const double weight =
      unit * ((1 + argument_roundings(c) + 2 * log_ulps) * log_keys_ + 2 * c.rescale_ulps);
  return weight + store_error(c.partial_storage, c.output_sum) +
         2 * (c.division_ulps + 2) * unit_of(c.output_sum);
}

// All levels.
double level_row_bound::merged_error() const {
  const double levels = merges_ * merge_error();
  return levels * (1 + levels);
}

// --- The denominator ---

// n terms near 1: partial sums are at most k after k terms, so their roundings add up to
// u (n + 1) / 2 of the whole. A sum to nearest loses faint weights.
double level_row_bound::like_terms_error() const {
  const stage& sum = contract_.weight_sum;
  const double faint = is_nearest(sum) ? 0 : row_.faint;
  const double roundings = (row_.keys + 1) / 2 + faint + merges_;
  return unit_of(sum) * roundings * (1 + growth(row_.keys + faint + merges_, unit_of(sum)));
}

// Of l, whichever weights it sums.
double level_row_bound::denominator_error() const {
  const contract& c = contract_;
  const double stored = c.may_sum_rounded_weights ? stored_weight_error(weight_error_) : 0;
  const double weight = std::max(weight_error_, stored);
  const bool held = row_.keys < std::ldexp(1, c.weight_sum.number->precision - 1);
  const bool exact = weight == 0 && held && row_.faint == 0;
  return (exact ? 0 : compound(weight, like_terms_error())) +
         row_.faint * faint_weight_ / row_.keys;
}

// f: of ln l.
double level_row_bound::log_error() const {
  const double unit = unit_of(contract_.exponent), theta = denominator_error();
  const double sum = theta < 1 ? -log1p_double(-theta) : infinity;
  return sum + (1 + 2 * log_ulps) * unit * log_keys_;
}

// --- Ends ---

// Of the numerator, divided by n: weights and their sum, the merges of parts, what faint keys and
// underflow leave.
double level_row_bound::numerator_error(const integer_column& column) const {
  const contract& c = contract_;
  const double form = c.may_normalise_weights
                          ? std::max(quotient_error(column), normalised_error(column))
                          : quotient_error(column);
  const double stored = c.may_normalise_weights ? underflow_of(c.weight_storage) : 0;
  const double additions = 2 * (row_.keys + row_.faint + merges_);
  const double products = form == 0 ? 0 : additions * underflow_of(c.output_sum);
  return compound(form, merged_error()) * column.size / row_.keys + stored * column.size +
         2 * faint_weight_ * column.faint_size / row_.keys + products;
}

// Of what all summands meet: l, or the lse, merged or not, and the division.
double level_row_bound::common_error() const {
  const contract& c = contract_;
  const bool by_lse = c.may_normalise_weights && c.may_use_lse;
  const double l = inverse_error(denominator_error());
  return std::max(l, by_lse ? expm1_double(std::min(log_error(), 1.0)) : 0) + merged_error() +
         2 * (c.division_ulps + 1) * unit_of(c.output_sum);
}

double level_row_bound::output(const integer_column& column) const {
  const contract& c = contract_;
  const double numerator = numerator_error(column);
  const double size = std::fabs(column.sum) / row_.keys + numerator;
  const bool underflows = size > 0 && size < smallest_normal(*c.output_sum.number);
  const double divided =
      underflows ? 2 * c.division_ulps * smallest_subnormal(*c.output_sum.number) : 0;
  const double before = size == 0 ? 0 : numerator + size * common_error() + divided;
  const double stored =
      rounding_step(*c.output, c.output_mode, c.output_subnormals, raise * (size + before));
  return raise * (before + stored);
}

double level_row_bound::lse(bool base_two) const {
  constexpr double log2_e = 1.4426950408889634;
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const double natural = log_error() + 3 * unit * log_keys_ + merged_error();
  const double in_base = base_two ? log2_e * natural + 4 * unit * log_keys_ : natural;
  const double value = base_two ? log2_e * log_keys_ : log_keys_;
  return raise * (in_base + unit_roundoff(*c.lse) * (value + in_base) + smallest_normal(*c.lse));
}

}  // namespace attest
