// The error budget of the fast engine: each number once. Proof: derivation/bounds/certified.md.
#pragma once

namespace attest {

inline constexpr double u2 = 0x1p-106;  // u^2, u = 2^-53

// Of a logit.
inline constexpr double product_error = 8 * u2;   // of c s, relative: the product and c
inline constexpr double addition_error = 4 * u2;  // of a bias or a further slice, of the sum
inline constexpr double cap_error = 12 * u2;  // over the cap: what tanh is given, and the product

// A row is left to multiprecision where the relative error of a weight may exceed this: below, an
// error x of a logit changes a weight by less than x (1 + x).
inline constexpr double most_weight_error = 0x1p-40;
inline constexpr double most_quick_error = 0x1p-20;  // in the first pass

// Scales, caps and biases stay below it, so that no product of double-doubles overflows.
inline constexpr double most_factor = 0x1p900;

// Of a weight in fixed point, over its block's power of two; and with that what the low parts of
// the weights lose where they are summed in double, over |v|.
inline constexpr double weight_rounding = 0x1p-105;
inline constexpr double fixed_point_error = 28 * 0x1p-105;

// Of the first pass, in double. A weight's exponential and the roundings of 64 products and sums,
// relative; a logit without its low part, relative; a weight that is left out, over 2^power.
inline constexpr double quick_error = 96 * 0x1p-53;
inline constexpr double quick_logit_error = 0x1p-52;
inline constexpr double quick_floor = 0x1p-480;

// Of a row's end.
inline constexpr double renormalisation_error = 4 * u2;  // of a triple sum, relative
inline constexpr double division_error = 20 * u2;        // relative
inline constexpr double logarithm_error = 64 * u2;       // of ln l, over 1 + |octaves| + |ln l|

// What weighs less than 2^-least_power of the greatest weight of its block or row is left out, and
// counted: all keys of a row together as `negligible`.
inline constexpr int least_power = 500;
inline constexpr double negligible = 0x1p-470;

}  // namespace attest
