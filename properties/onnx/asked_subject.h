// Putting a call of ONNX's Attention to a subject.
#pragma once

#include <string>
#include <vector>

#include "properties/examiner.h"
#include "properties/onnx/attention_call.h"
#include "properties/onnx/conventions.h"

namespace attest {

struct asked_call {
  judgement found;
  std::vector<std::string> not_asked;  // outputs of the call that no subject gives
};

// Asks the subject for Y and, where qk_matmul_output holds the weights, for these
// (weights_probe.h), and judges both on the subject's own contract. Result: unsupported, with the
// reason, where the subject does not take the type, declares too few
//   features, or follows conventions under which the call means something else.
asked_call ask_call(examiner&, const attention_call&, const onnx_conventions&);

}  // namespace attest
