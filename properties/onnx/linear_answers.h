// Judging the answers that a test case of ONNX's LinearAttention stores.
#pragma once

#include "properties/onnx/judged_answers.h"
#include "properties/onnx/linear_call.h"
#include "reference/contract/contract.h"

namespace attest {

// Judges every element of output and present_state within the bound of each contract that the
// operator's definition leaves open (arithmetic.h), the tightest first.
// Special: undecided is a bound above vacuous_share of the sum of the sizes of an element's terms.
judged_answers judge_linear(const linear_call&);

// The same under one contract.
judgement judge_linear(const linear_call&, const contract&);

}  // namespace attest
