// A problem in words, for people. The exact problem is its line (problem_spec.h).
#pragma once

#include <string>

#include "reference/problems/problem_spec.h"

namespace attest {

// Computes: "2 batch rows, 4 query heads on 2 KV heads, 1 query, 3 keys, width 4, value width 2";
// what there is one of, but for queries and keys, is left out.
std::string shape_words(const problem_spec&);
// Computes: "f32, exact (small integers: ...)".
std::string value_words(const problem_spec&);
// Computes: "a mask over b and q; causal from the top left", or "nothing beyond plain dense
// attention".
std::string feature_words(const problem_spec&);

}  // namespace attest
