// Putting a call of ONNX's Attention to a subject.
#pragma once

#include "properties/examiner.h"
#include "properties/onnx/attention_call.h"
#include "properties/onnx/conventions.h"

namespace attest {

// Asks the subject for Y alone, and judges it on the subject's own contract.
// Result: unsupported, with the reason, where the subject does not take the type, declares too few
//   features, or follows conventions under which the call means something else.
judgement ask_call(examiner&, const attention_call&, const onnx_conventions&);

}  // namespace attest
