// Step 3 of the definition: what is added to a score.
#pragma once

#include <cstdint>

#include "reference/definition/key_set.h"
#include "reference/problems/problem.h"

namespace attest {

// Whether something is: a bias tensor, or slopes of distances. A problem has one of them at most.
bool has_bias(const problem&);

// Domain: has_bias. Computes: bias_ij, or slope_h times the distance from the query's position to
// key j, which is negative, and with signed distances positive beyond the query. Error: none: a
// slope has at most slope_bits bits.
double bias_of(const problem&, const row_index&, std::int64_t j);

inline constexpr int slope_bits = 24;

// Domain: slopes. Computes: the distance from the query's position to key j, as in bias_of.
double distance_of(const problem&, const row_index&, std::int64_t j);

// Computes: how far from the query the terms of a distance lie that an implementation may take
// apart: |j| + |position|. 0 without slopes.
double distance_terms(const problem&, const row_index&, std::int64_t j);

}  // namespace attest
