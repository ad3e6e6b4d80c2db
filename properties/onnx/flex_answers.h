// Judging the answers that a test case of FlexAttention stores.
#pragma once

#include "properties/examiner.h"
#include "properties/onnx/flex_call.h"
#include "properties/onnx/judged_answers.h"

namespace attest {

// Judges every element of Y within the bound of each contract that the operator's definition leaves
// open (arithmetic.h), the tightest first. Without modifiers as the same call of Attention.
// Special: a row whose scores are all -inf, and one that holds NaN or +inf, is NaN. What a
// condition leaves open that the scores do not decide is within the hull of both; undecided where
// that is too wide. Error: not_taken where the modifiers are well-formed but ask what is not
// judged; input_error where they are malformed.
judged_answers judge_flex(const flex_call&, const assurance&);

}  // namespace attest
