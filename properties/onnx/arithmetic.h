// The arithmetic that the definition of ONNX's Attention leaves to who computes it.
#pragma once

#include <vector>

#include "properties/onnx/attention_call.h"
#include "reference/contract/contract.h"

namespace attest {

// Computes: the contracts on which the answers to a call are judged, the tightest first. The
// operator is
//   defined as a function of other operators, whose results are tensors of Q's type: any stage may
//   be rounded to it. That is the last of them. The presets before it keep more; the first that
//   holds is the one that is named.
std::vector<contract> contracts_for(const attention_call&);

// The same by the type of the inputs and the attribute softmax_precision; nullptr: not given.
std::vector<contract> contracts_for(const format& type, const format* softmax_precision);

// Computes: the contract that rounds every stage to the format: float64, float32, fp16-accumulate,
// and
//   the last with bf16 for fp16.
contract in_every_stage(const format&);

}  // namespace attest
