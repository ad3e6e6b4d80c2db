// The constants of the exponential. Those of the same name in derivation/bounds/certificates/ have
// the same values; a test compares them.
#pragma once

#include "reference/certified/roots_of_two.h"

namespace attest::exponential_constants {

// 512/ln2, rounded; and ln2/512 = step_1 + step_2 + step_3 to 2^-153. step_1 has 29 bits, so that
// its product with an integer below 2^24 is exact.
inline constexpr double steps = 0x1.71547652b82fep9;
inline constexpr double step_1 = 0x1.62e42ffp-10;
inline constexpr double step_2 = -0x1.718432a1b0e26p-44;
inline constexpr double step_3 = -0x1.9ff0342542fc3p-99;

// e^r - 1 = r + s + r s (c3 + c4 r + s (c5 + c6 r + s (c7 + c8 r))) to 2^-117 for |r| <= ln2/1024,
// s = r^2/2; c3 = 1/3 and c4 = 1/12 as double-doubles, the rest minimax.
inline constexpr double c3_hi = 0x1.5555555555555p-2;
inline constexpr double c3_lo = 0x1.5555555555555p-56;
inline constexpr double c4_hi = 0x1.5555555555555p-4;
inline constexpr double c4_lo = 0x1.5555555555555p-58;
inline constexpr double c5 = 0x1.1111111111111p-5;
inline constexpr double c6 = 0x1.6c16c16c16c16p-8;
inline constexpr double c7 = 0x1.a01a01d35daf8p-10;
inline constexpr double c8 = 0x1.a01a022cc7f17p-13;

}  // namespace attest::exponential_constants
