// Problems of linear attention, drawn by a seed: every rule, feature map and place of a gate.
#pragma once

#include <cstdint>

#include "reference/linear/linear_problem.h"

namespace attest {

// Keys are so short, or beside exp_features rates so small, that the delta rule does not amplify;
// gates fade, and now and then hardly.
// With a normaliser the features are positive.
linear_problem draw_linear_problem(std::uint64_t seed, const format& inputs);

}  // namespace attest
