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

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

bool is_directed_inwards(rounding_mode mode, bool negative) {
  const rounding_mode inwards = negative ? rounding_mode::up : rounding_mode::down;
  return mode == rounding_mode::to_zero || mode == inwards;
}

// ---- Formats narrower than f64, in deterministic modes: on the bits of the double itself. ----

// The bits of value + residual rounded to odd: a second rounding that keeps at least two bits fewer
// then sees on which side of a tie or a number the exact sum lies (Boldo and Melquiond, IEEE Trans.
// Computers 57(4), 2008).
std::uint64_t bits_rounded_to_odd(double value, double residual) {
  const std::uint64_t bits = bits_of(value);
  if (residual == 0 || (bits & 1) != 0) return bits;
  return std::signbit(value) == std::signbit(residual) ? bits + 1 : bits - 1;
}

// Whether the number lies in a binade that is neither subnormal nor able to overflow: no NaN,
// infinity or zero does.
bool is_plainly_normal(const format& f, std::uint64_t bits) {
  const int exponent = static_cast<int>(bits << 1 >> (double_fraction_bits + 1)) - 1023;
  return exponent >= f.min_exponent && exponent < f.max_exponent;
}

// What carries into the bits to be kept exactly when the magnitude is to grow.
std::uint64_t rounding_increment(rounding_mode mode, std::uint64_t bits, int dropped) {
  const std::uint64_t all_dropped = (one << dropped) - 1;
  if (mode == rounding_mode::nearest_even) return (all_dropped >> 1) + ((bits >> dropped) & 1);
  return is_directed_inwards(mode, (bits >> 63) != 0) ? 0 : all_dropped;
}

// A carry out of the fraction moves into the exponent field, which is what it should do.
double round_plainly_normal(const format& f, rounding_mode mode, std::uint64_t bits) {
  const int dropped = f64.precision - f.precision;
  const std::uint64_t raised = bits + rounding_increment(mode, bits, dropped);
  return std::bit_cast<double>(raised >> dropped << dropped);
}

// Adding an anchor whose last bit is the smallest subnormal lets the processor round to that bit.
double round_below_normal(const format& f, rounding how, double x) {
  const double anchor = 1.5 * power_of_two(f64.precision - f.precision + f.min_exponent);
  const double result = (x + anchor) - anchor;
  const bool is_normal = std::fabs(result) >= power_of_two(f.min_exponent);
  const bool flush = how.subnormals == subnormal_mode::flushed && !is_normal;
  return std::copysign(flush ? 0 : result, x);
}

// ---- Any mode, any finite number: on a 128-bit significand. ----

// bits 2^exponent, the top bit set. The lowest bit also stands for anything non-zero below it.
struct magnitude {
  wide bits;
  int exponent;
};

constexpr int wide_bits = 128;
constexpr wide half_ulp_of_double = wide{1} << (wide_bits - f64.precision - 1);

// Of a finite non-zero double.
magnitude magnitude_of(double x) {
  const std::uint64_t bits = bits_of(std::fabs(x));
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

double infinity_of(const format& f, rounding how) {
  if (how.overflow == overflow_mode::saturate) return largest_finite(f);
  return f.kind == specials::nan_only ? not_a_number : infinity;
}

double overflowed(const format& f, rounding how, bool negative) {
  return is_directed_inwards(how.mode, negative) ? largest_finite(f) : infinity_of(f, how);
}

// The magnitude of the result. Its product is as infinite at exponent 1023 as at any above.
double magnitude_rounded(const format& f, rounding how, bool negative, const grid_position& p,
                         std::uint64_t random) {
  const std::uint64_t significand = p.kept + (rounds_away(how.mode, negative, p, random) ? 1 : 0);
  const double result = static_cast<double>(static_cast<std::int64_t>(significand)) *
                        power_of_two(std::min(p.exponent, 1023));
  if (result > largest_finite(f)) return overflowed(f, how, negative);
  const bool flush = how.subnormals == subnormal_mode::flushed && result < smallest_normal(f);
  return flush ? 0 : result;
}

double round_finite(const format& f, rounding how, const unrounded& x, std::uint64_t random) {
  const bool negative = std::signbit(x.value);
  const grid_position position = on_grid(f, magnitude_of(x));
  return std::copysign(magnitude_rounded(f, how, negative, position, random), x.value);
}

double round_any(const format& f, rounding how, const unrounded& x, std::uint64_t random) {
  if (std::isnan(x.value) || x.value == 0) return x.value;
  if (std::isinf(x.value)) return std::copysign(infinity_of(f, how), x.value);
  return round_finite(f, how, x, random);
}

// Whether value is the result as it stands: in f64 it is the nearest number already.
bool is_settled(const format& f, rounding_mode mode, const unrounded& x) {
  return f.precision == f64.precision && mode == rounding_mode::nearest_even && x.scale == 0 &&
         is_plainly_normal(f, bits_of(x.value));
}

double round_narrower(const format& f, rounding how, const unrounded& x) {
  const std::uint64_t bits = bits_rounded_to_odd(x.value, x.residual);
  if (is_plainly_normal(f, bits)) return round_plainly_normal(f, how.mode, bits);
  const bool nearest = how.mode == rounding_mode::nearest_even;
  if (nearest && std::fabs(x.value) < power_of_two(f.min_exponent))
    return round_below_normal(f, how, std::bit_cast<double>(bits));
  return round_any(f, how, x, 0);
}

}  // namespace

double round_once(const format& f, rounding how, const unrounded& x, std::uint64_t random) {
  const bool in_range = x.scale == 0 && how.mode != rounding_mode::stochastic;
  if (in_range && f.precision < f64.precision) return round_narrower(f, how, x);
  return is_settled(f, how.mode, x) ? x.value : round_any(f, how, x, random);
}

double round_to(const format& f, rounding how, double value, double residual,
                std::uint64_t random) {
  return round_once(f, how, {value, residual, 0}, random);
}

}  // namespace attest
