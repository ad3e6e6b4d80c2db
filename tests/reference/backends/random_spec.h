// Small random problems with every feature, for comparing evaluations.
#pragma once

#include "reference/problems/problem_spec.h"

namespace attest {

// Computes: a spec of at most 2 batch rows, 6 query heads, 5 queries and 48 keys, none at times;
// each feature is asked in about a quarter of them. The same seed gives the same spec, but for the
// input format.
problem_spec random_spec(std::uint64_t seed, const format& inputs);

// Computes: the same with every convention drawn on its own.
problem_spec unusual_spec(std::uint64_t seed, const format& inputs);

// Computes: random_spec for an even seed, unusual_spec for an odd one.
problem_spec any_spec(std::uint64_t seed, const format& inputs);

// Computes: an answer for the problem, o of that format and lse of the other, filled with NaN.
struct answer {
  answer(const problem&, const format& output, const format& lse_format);
  tensor o;
  tensor lse;
};

// Whether every bit is the same.
bool same_bits(const tensor&, const tensor&);

}  // namespace attest
