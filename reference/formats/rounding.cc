#include "reference/formats/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attest {
namespace {

__extension__ typedef unsigned __int128 wide;

constexpr std::uint64_t one = 1;
constexpr int double_fraction_bits = 52;
constexpr std::uint64_t double_fraction_mask = (one << double_fraction_bits) - 1;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t magnitude_bits(double x) {
  return std::bit_cast<std::uint64_t>(x) & ~(one << 63);
}

// ---- Nearest, to a normal number: on the bits of the double itself. ----

// Whether the result lies in a binade that is neither subnormal nor able to overflow.
bool is_plainly_normal(const format& f, double value) {
  const int exponent = static_cast<int>(magnitude_bits(value) >> double_fraction_bits) - 1023;
  return exponent >= f.min_exponent && exponent < f.max_exponent;
}

// The bits of value + residual rounded to odd: a second rounding that keeps at least two bits fewer
// then sees on which side of a tie the exact number lies (Boldo and Melquiond, IEEE Trans.
// Computers 57(4), 2008).
std::uint64_t bits_rounded_to_odd(double value, double residual) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  if (residual == 0 || (bits & 1) != 0) return bits;
  return std::signbit(value) == std::signbit(residual) ? bits + 1 : bits - 1;
}

// A carry out of the fraction moves into the exponent field, which is what it should do.
double round_normal_to_nearest(const format& f, double value, double residual) {
  const int dropped = f64.precision - f.precision;
  if (dropped == 0) return value;
  const std::uint64_t bits = bits_rounded_to_odd(value, residual);
  const std::uint64_t last_kept = (bits >> dropped) & 1;
  const std::uint64_t below_half = (one << (dropped - 1)) - 1;
  return std::bit_cast<double>((bits + below_half + last_kept) >> dropped << dropped);
}

// ---- Any mode, any finite number: on a 128-bit significand. ----

// bits 2^exponent, the top bit set; the lowest bit also stands for anything non-zero below it.
struct magnitude {
  wide bits;
  int exponent;
};

constexpr int wide_bits = 128;
constexpr wide half_ulp_of_double = wide{1} << (wide_bits - f64.precision - 1);

// Of a finite non-zero double.
magnitude magnitude_of(double x) {
  const std::uint64_t bits = magnitude_bits(x);
  const int field = static_cast<int>(bits >> double_fraction_bits);
  const std::uint64_t hidden = field == 0 ? 0 : double_fraction_mask + 1;
  const std::uint64_t significand = (bits & double_fraction_mask) | hidden;
  const int shift = std::countl_zero(significand);
  return {wide{significand << shift} << 64, std::max(field, 1) - 1075 - 64 - shift};
}

wide shift_right_sticky(wide bits, int count) {
  if (count <= 0) return bits;
  if (count >= wide_bits) return bits != 0;
  const bool lost = (bits << (wide_bits - count)) != 0;
  return (bits >> count) | wide{lost};
}

magnitude renormalised(magnitude m) {
  if ((m.bits >> (wide_bits - 1)) != 0) return m;
  return {m.bits << 1, m.exponent - 1};
}

// The cap keeps a residual that was computed inexactly from becoming a tie that value would lose.
magnitude magnitude_of(const unrounded& x) {
  magnitude sum = magnitude_of(x.value);
  sum.exponent += x.scale;
  if (x.residual == 0) return sum;
  const magnitude residual = magnitude_of(x.residual);
  const int shift = sum.exponent - x.scale - residual.exponent;
  const wide part = std::min(shift_right_sticky(residual.bits, shift), half_ulp_of_double - 1);
  sum.bits = std::signbit(x.value) == std::signbit(x.residual) ? sum.bits + part : sum.bits - part;
  return renormalised(sum);
}

// A magnitude against the grid of a format: (kept + fraction 2^-64) 2^exponent. The lowest bit of
// the fraction also stands for anything below it.
struct grid_position {
  std::uint64_t kept;
  std::uint64_t fraction;
  int exponent;
};

grid_position on_grid(const format& f, const magnitude& m) {
  const int leading = m.exponent + wide_bits - 1;
  const int dropped = wide_bits - f.precision + std::max(0, f.min_exponent - leading);
  const bool any_kept = dropped < wide_bits;
  const wide rest =
      any_kept ? m.bits << (wide_bits - dropped) : shift_right_sticky(m.bits, dropped - wide_bits);
  const bool below_fraction = static_cast<std::uint64_t>(rest) != 0;
  return {any_kept ? static_cast<std::uint64_t>(m.bits >> dropped) : 0,
          static_cast<std::uint64_t>(rest >> 64) | std::uint64_t{below_fraction},
          m.exponent + dropped};
}

bool rounds_away(rounding_mode mode, bool negative, const grid_position& p, std::uint64_t random) {
  constexpr std::uint64_t half = one << 63;
  switch (mode) {
    case rounding_mode::nearest_even:
      return p.fraction > half || (p.fraction == half && (p.kept & 1) != 0);
    case rounding_mode::up:
      return !negative && p.fraction != 0;
    case rounding_mode::down:
      return negative && p.fraction != 0;
    case rounding_mode::to_zero:
      return false;
    case rounding_mode::stochastic:
      return random < p.fraction;
  }
  return false;
}

bool is_directed_inwards(rounding_mode mode, bool negative) {
  return mode == rounding_mode::to_zero ||
         mode == (negative ? rounding_mode::up : rounding_mode::down);
}

double infinity_of(const format& f, rounding how) {
  if (how.overflow == overflow_mode::saturate) return largest_finite(f);
  return f.kind == specials::nan_only ? not_a_number : infinity;
}

double overflowed(const format& f, rounding how, bool negative) {
  return is_directed_inwards(how.mode, negative) ? largest_finite(f) : infinity_of(f, how);
}

// The magnitude of the result. At an exponent above 1023 the product is infinite, as it would be at
// 1023.
double magnitude_rounded(const format& f, rounding how, bool negative, const grid_position& p,
                         std::uint64_t random) {
  const std::uint64_t significand = p.kept + (rounds_away(how.mode, negative, p, random) ? 1 : 0);
  const double result = static_cast<double>(significand) * power_of_two(std::min(p.exponent, 1023));
  if (result > largest_finite(f)) return overflowed(f, how, negative);
  const bool flush = how.subnormals == subnormal_mode::flushed && result < smallest_normal(f);
  return flush ? 0 : result;
}

double round_finite(const format& f, rounding how, const unrounded& x, std::uint64_t random) {
  const bool negative = std::signbit(x.value);
  const grid_position position = on_grid(f, magnitude_of(x));
  return std::copysign(magnitude_rounded(f, how, negative, position, random), x.value);
}

// ---- The fields of an encoding. ----

int exponent_bits(const format& f) {
  const int bias = 1 - f.min_exponent;  // 2^(exponent bits - 1) - 1
  return std::bit_width(static_cast<unsigned>(bias)) + 1;
}

// Zero bits below the fraction: 13 in tf32, none elsewhere.
int padding_bits(const format& f) {
  return f.storage_bits - exponent_bits(f) - f.precision;
}

// Exponent field and fraction taken as one number count the non-negative values of a format upwards
// from zero.
std::uint64_t index_of_infinity(const format& f) {
  return ((one << exponent_bits(f)) - 1) << (f.precision - 1);
}

std::uint64_t index_of_nan(const format& f) {
  const std::uint64_t fraction = (one << (f.precision - 1)) - 1;
  const std::uint64_t quiet = one << (f.precision - 2);
  return index_of_infinity(f) | (f.kind == specials::nan_only ? fraction : quiet);
}

std::uint64_t index_of_finite(const format& f, double value) {
  if (value == 0) return 0;
  const grid_position p = on_grid(f, magnitude_of(value));
  const int binade = p.exponent - (f.min_exponent - f.precision + 1);
  return (static_cast<std::uint64_t>(binade) << (f.precision - 1)) + p.kept;
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

double round_once(const format& f, rounding how, const unrounded& x, std::uint64_t random) {
  const bool nearest = how.mode == rounding_mode::nearest_even && x.scale == 0;
  if (nearest && is_plainly_normal(f, x.value))
    return round_normal_to_nearest(f, x.value, x.residual);
  if (std::isnan(x.value) || x.value == 0) return x.value;
  if (std::isinf(x.value)) return std::copysign(infinity_of(f, how), x.value);
  return round_finite(f, how, x, random);
}

double round_to(const format& f, rounding how, double value, double residual,
                std::uint64_t random) {
  return round_once(f, how, {value, residual, 0}, random);
}

std::uint64_t encode(const format& f, double value) {
  if (std::isnan(value)) return index_of_nan(f) << padding_bits(f);
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
