#include "reference/formats/encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attest {
namespace {

constexpr std::uint64_t one = 1;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

int exponent_bits(const format& f) {
  const int bias = 1 - f.min_exponent;  // 2^(exponent bits - 1) - 1
  return std::bit_width(static_cast<unsigned>(bias)) + 1;
}

// Zero bits below the fraction: 13 in tf32, none elsewhere.
int padding_bits(const format& f) { return f.storage_bits - exponent_bits(f) - f.precision; }

// Exponent field and fraction, taken as one number, count the values of a format upwards from zero.
std::uint64_t index_of_infinity(const format& f) {
  return ((one << exponent_bits(f)) - 1) << (f.precision - 1);
}

std::uint64_t index_of_nan(const format& f) {
  const std::uint64_t fraction = (one << (f.precision - 1)) - 1;
  const std::uint64_t quiet = one << (f.precision - 2);
  return index_of_infinity(f) | (f.kind == specials::nan_only ? fraction : quiet);
}

// Of a normal number: the fields of the double itself, less the difference of the biases. Of a
// subnormal number: the multiple of the smallest that it is.
std::uint64_t index_of_finite(const format& f, double value) {
  const bool narrower = f.precision < f64.precision;
  if (narrower && std::fabs(value) < smallest_normal(f))
    return static_cast<std::uint64_t>(std::fabs(value) / smallest_subnormal(f));
  const std::uint64_t fields =
      std::bit_cast<std::uint64_t>(std::fabs(value)) >> (f64.precision - f.precision);
  return fields -
         (static_cast<std::uint64_t>(f.min_exponent - f64.min_exponent) << (f.precision - 1));
}

double finite_at_index(const format& f, std::uint64_t index) {
  const std::uint64_t hidden = one << (f.precision - 1);
  const int field = static_cast<int>(index >> (f.precision - 1));
  const std::uint64_t significand = (index & (hidden - 1)) | (field == 0 ? 0 : hidden);
  const int exponent = f.min_exponent - f.precision + std::max(field, 1);
  return static_cast<double>(significand) * power_of_two(exponent);
}

double value_at_index(const format& f, std::uint64_t index) {
  if (f.kind == specials::nan_only)
    return index == index_of_nan(f) ? not_a_number : finite_at_index(f, index);
  if (index > index_of_infinity(f)) return not_a_number;
  return index == index_of_infinity(f) ? infinity : finite_at_index(f, index);
}

}  // namespace

std::uint64_t encode(const format& f, double value) {
  const bool has_infinities = f.kind == specials::ieee;
  if (std::isnan(value) || (std::isinf(value) && !has_infinities))
    return index_of_nan(f) << padding_bits(f);
  const std::uint64_t index = std::isinf(value) ? index_of_infinity(f) : index_of_finite(f, value);
  const std::uint64_t sign = std::signbit(value) ? one << (f.storage_bits - 1) : 0;
  return sign | index << padding_bits(f);
}

double decode(const format& f, std::uint64_t bits) {
  const std::uint64_t sign = one << (f.storage_bits - 1);
  const double value = value_at_index(f, (bits & (sign - 1)) >> padding_bits(f));
  return (bits & sign) != 0 ? -value : value;
}

}  // namespace attest
