// Problems of a shape that is given, as large as calls of real models are.
#pragma once

#include <string_view>
#include <vector>

#include "properties/subject.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// Computes: the shape of "B=1,Hq=32,Hkv=8,Lq=4096,Lk=4096,D=128,Dv=128"; what is left out is 1.
// Error: input_error for another word, a size out of range or heads that do not divide.
shape parse_shape(std::string_view);

// Computes: four problems of the shape for each input format and unit of effort, in regimes that
// differ, with those features among causal, sink, soft_cap, lengths and window that the subject
// declares. Error: input_error where the shape itself needs a feature that it does not declare.
std::vector<problem_spec> draw_problems_of(const shape&, const subject_info&, std::uint64_t seed,
                                           int effort);

}  // namespace attest
