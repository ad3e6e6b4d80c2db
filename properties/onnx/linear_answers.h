// Judging the answers that a test case of ONNX's LinearAttention stores.
#pragma once

#include "properties/examiner.h"
#include "properties/onnx/linear_call.h"
#include "properties/onnx/ulp_histogram.h"
#include "properties/verdict.h"

namespace attest {

struct judged_linear {
  judgement found;
  std::string contract;  // the tightest that holds, or the loosest
  ulp_histogram ulps;
};

// Judges every element of output and present_state within the bound of each contract that the
// operator's definition leaves open (arithmetic.h), the tightest first.
// Special: undecided is a bound above vacuous_share of the sum of the sizes of an element's terms.
judged_linear judge_linear(const linear_call&);

}  // namespace attest
