// Step 6 of the definition: what of a weight meets its value.
#pragma once

#include <cstdint>

#include "reference/definition/key_set.h"
#include "reference/problems/problem.h"

namespace attest {

// Whether dropout takes the weight of key j from the output. It has counted in the sum of the
// weights all the same.
bool drops(const problem&, const row_index&, std::int64_t j);

// Computes: s m_ij v_jd, what the weight of key j is multiplied by in the output of row (b, h, i):
// v itself without dropout. Error: rounded to nearest.
double met_value(const problem&, const row_index&, std::int64_t j, std::int64_t d);

// What kept weights may be multiplied by: 1 / (1 - p) is never below 1, and this much leaves
// doubles room.
inline constexpr double least_dropout_scale = 1, most_dropout_scale = 0x1p40;

// Whether kept weights may be multiplied by it.
constexpr bool is_dropout_scale(double s) {
  return s >= least_dropout_scale && s <= most_dropout_scale;
}

}  // namespace attest
