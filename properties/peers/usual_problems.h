// Problems of the kind that other test suites draw.
#pragma once

#include <vector>

#include "properties/subject.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// Computes: `count` problems of N(0, 1) values with two KV heads of 64 columns, in pairs: 128
// queries and keys with one declared feature or none; then 113 queries and 203 keys with that
// feature under a causal mask and with grouped heads, as far as these are declared. The features
// come around in turn, dense attention first, and so do the input formats. Result: every row keeps
// a key, as those suites avoid rows that do not.
std::vector<problem_spec> usual_problems(const subject_info&, std::uint64_t seed,
                                         std::int64_t count);

}  // namespace attest
