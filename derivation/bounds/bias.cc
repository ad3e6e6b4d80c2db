#include "derivation/bounds/bias.h"

#include <algorithm>
#include <cmath>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double largest_output = 2;  // outputs lie in +-[1, 2)

bool is_nearest(const stage& s) { return s.mode == rounding_mode::nearest_even; }

double exponential_error(const contract& c) { return 2 * c.exp_ulps * unit_of(c.exponent); }

// Of the lse by which parts are weighted, where they are: common to a part's outputs.
double merge_error(const contract& c, const exact_row& row) {
  if (!c.may_use_lse) return 0;
  const double unit = unit_of(c.exponent), level = std::fabs(row.greatest) + row.log_mass;
  return c.merges * unit *
         (level + (argument_roundings(c) + 2 * log_ulps) * row.log_mass + 2 * c.rescale_ulps);
}

// The weight of the keys whose p is 1: they round to the same side in every row.
double weight_of_greatest(const exact_row& row) {
  double sum = 0;
  for (const exact_key& key : row.keys) sum += key.gap == 0 ? key.weight : 0;
  return sum;
}

}  // namespace

double ulp_of_one(const format& f) { return 2 * unit_roundoff(f); }

// Not where scores, exponents or parts are rounded nearly as far as the output: they may push its
// errors to one side.
bool errors_average_out_under(const contract& c) {
  const int precision = c.output->precision;
  const double most = 0.125 * ulp_of_one(*c.output);
  return c.output_mode == rounding_mode::nearest_even && is_nearest(c.weight_storage) &&
         !c.may_normalise_weights && c.quantised_to == nullptr &&
         precision < c.output_sum.number->precision && precision < c.exponent.number->precision &&
         exponential_error(c) <= most && argument_roundings(c) * unit_of(c.exponent) <= most &&
         unit_of(c.score_storage) <= most && unit_of(c.bias_sum) <= most &&
         (c.merges == 0 || unit_of(c.partial_storage) <= most) &&
         unit_of(c.weight_storage) <= ulp_of_one(*c.output);
}

contract without_averaging_roundings(const contract& c) {
  contract other = c;
  other.weight_storage = c.exponent;
  other.output = &f64;
  other.output_mode = rounding_mode::nearest_even;
  other.may_use_lse = false;  // weights parts only: counted by mean_error_bound
  return other;
}

mean_error_bound::mean_error_bound(const contract& c) : contract_(c), ulp_(ulp_of_one(*c.output)) {}

void mean_error_bound::add_row(const exact_row& row, double one_sided) {
  const auto width = static_cast<double>(row.output.size());
  const double unit = store_error(contract_.weight_storage, contract_.exponent);
  const double common = weight_of_greatest(row) * exponential_error(contract_) +
                        merge_error(contract_, row) + 2 * unit * unit;
  double stored = 0;
  for (const exact_key& key : row.keys) stored += key.weight * key.weight;
  const double of_a_weight = unit * largest_output * width / ulp_;
  outputs_ += static_cast<std::int64_t>(row.output.size());
  one_sided_ += (one_sided + width * largest_output * common) / ulp_;
  squares_ += width / 4 + stored * of_a_weight * of_a_weight;
}

double mean_error_bound::ulps(double false_alarm) const {
  const double deviations = std::sqrt(2 * log_double(2 / false_alarm));
  return (one_sided_ + deviations * std::sqrt(squares_)) / static_cast<double>(outputs_);
}

}  // namespace attest
