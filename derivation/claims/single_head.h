// Problems small enough to write out: one batch row, one head, its inputs as matrices of doubles.
#pragma once

#include <vector>

#include "reference/problems/problem.h"

namespace attest {

using matrix = std::vector<std::vector<double>>;  // rows

// Shapes: q n x dk, k m x dk, v m x dv; n, m, dk, dv at least 1.
// Result: the problem with these f64 inputs and nothing else.
// Error: input_error when a matrix is ragged or empty, q and k differ in width, or k and v in
// length.
problem single_head(const matrix& q, const matrix& k, const matrix& v);

}  // namespace attest
