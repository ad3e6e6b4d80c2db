// The error budget of the fast engine: each number once. Proof: derivation/bounds/certified.md.
#pragma once

namespace attest {

inline constexpr double u2 = 0x1p-106;  // u^2, u = 2^-53

// Of one score: c s by a double-double product of an enclosed c; a bias added; the soft cap.
inline constexpr double product_error = 6 * u2;   // relative to the scaled score
inline constexpr double addition_error = 4 * u2;  // relative to the sum
inline constexpr double cap_error = 12 * u2;      // of the argument and the product, over the cap

// Of one key in a block, over 2^power and |v|: what the weight loses in fixed point, and what the
// low parts lose where they are summed in double (chains of 16 keys and two more additions).
inline constexpr double fixed_point_error = 24 * 0x1p-105;

// Of a row's end.
inline constexpr double division_error = 16 * u2;   // relative
inline constexpr double logarithm_error = 64 * u2;  // of ln l, absolute, and relative to lse

// What weighs less than 2^-least_power of the greatest is left out and counted as an error.
inline constexpr int least_power = 500;

}  // namespace attest
