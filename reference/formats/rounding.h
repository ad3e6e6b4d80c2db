// Rounding to a format.
#pragma once

#include <cstdint>

#include "reference/formats/encoding.h"
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
// Domain: value is the double nearest to value + residual, or not finite: residual is then ignored.
//   The pair lets an operation whose exact result does not fit a double be rounded only once.
//   random: 64 uniform bits, read by stochastic rounding only, which goes up with probability
//   (x - below) / (above - below), to within 2^-32.
// Special: NaN gives NaN. Infinity stays infinite (with saturate: the largest finite value). In a
//   format without infinities, what would be infinite is NaN. Signed zeros keep their sign.
//   A flushed subnormal result becomes a zero of its sign; the test is made after rounding.
//   Overflow to_infinity follows IEEE 754: down and to_zero of a large positive value give
//   largest_finite. Stochastic rounding chooses as if exponents were unbounded: past largest_finite
//   it may overflow, past the step after that it does.
double round_to(const format&, rounding, double value, double residual = 0,
                std::uint64_t random = 0);

// A real number as an operation leaves it before it is rounded: (value + residual) 2^scale.
// Domain: as of round_to, but a residual may be off by a factor 1 +- 2^-40: no rounding can tell.
//   The scale is for numbers that no double holds, products below 2^-1074 or sums above 2^1024.
struct unrounded {
  double value;
  double residual = 0;
  int scale = 0;
};

// Computes: as round_to, of such a number.
double round_once(const format&, rounding, const unrounded&, std::uint64_t random = 0);

}  // namespace attest
