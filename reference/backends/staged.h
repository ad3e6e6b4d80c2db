// The definition evaluated stage by stage, in the formats of a contract.
#pragma once

#include "reference/backends/schedule.h"
#include "reference/contract/contract.h"
#include "reference/problems/problem.h"

namespace attest {

// Computes: o, and lse where given. Every operation is rounded in its stage's format (stages.h),
// exp, log and tanh
//   included; l adds the weights before they are stored.
// Error: within forward_bound of the contract. Special: an empty row holds what the semantics gives
// it, the mean of
//   values by the same stages from equal logits; NaN and infinite inputs take their course.
void evaluate_staged(const contract&, const schedule&, const problem&, tensor& o, tensor* lse);

}  // namespace attest
