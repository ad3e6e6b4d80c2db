// Rounding to a format, and the bits of its numbers.
#pragma once

#include <cstdint>

#include "reference/formats/format.h"

namespace attest {

enum class rounding_mode : std::uint8_t { nearest_even, up, down, to_zero, stochastic };
enum class subnormal_mode : std::uint8_t { kept, flushed };
enum class overflow_mode : std::uint8_t { to_infinity, saturate };

struct rounding {
  rounding_mode mode = rounding_mode::nearest_even;
  subnormal_mode subnormals = subnormal_mode::kept;
  overflow_mode overflow = overflow_mode::to_infinity;
};

// Computes: the exact sum value + residual, rounded once to the format.
// Domain: value is the double nearest to value + residual (or value is not finite, and residual is ignored).
//   The pair lets an operation whose exact result does not fit a double be rounded without double rounding.
//   random: 64 uniform bits, read by stochastic rounding only: up with probability (x - below) / (above - below),
//   to within 2^-32 of the gap.
// Special: NaN gives NaN. Infinity stays infinite (with saturate: the largest finite value); in a format
//   without infinities an overflow that does not saturate is NaN. Signed zeros keep their sign. A flushed
//   subnormal result becomes a zero of its sign; the test is made after rounding.
//   Overflow to_infinity follows IEEE 754: down and to_zero of a large positive value give largest_finite.
double round_to(const format&, rounding, double value, double residual = 0, std::uint64_t random = 0);

// A real number as an operation leaves it before it is rounded: (value + residual) 2^scale.
// Domain: as of round_to, but a residual may be off by a factor 1 +- 2^-40, which no rounding can tell. The scale
//   keeps numbers that a double cannot hold: products below 2^-1074, sums above 2^1024.
struct unrounded {
  double value;
  double residual = 0;
  int scale = 0;
};

// Computes: as round_to, of such a number.
double round_once(const format&, rounding, const unrounded&, std::uint64_t random = 0);

// Computes: the bits of a value of the format. Domain: value is a number of the format, an infinity of it, or NaN.
// NaN gives the canonical quiet NaN (e4m3fn: 0x7f), keeping no payload.
std::uint64_t encode(const format&, double value);

// Computes: the value of the low storage_bits bits; exact for every pattern. tf32 ignores the low 13 bits.
double decode(const format&, std::uint64_t bits);

}  // namespace attest
