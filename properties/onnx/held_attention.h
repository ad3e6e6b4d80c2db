// What a model says that holds one attention: which problems it takes, and how it is fed.
#pragma once

#include <string>

#include "properties/exchange/onnx/model.h"
#include "properties/onnx/call_limits.h"
#include "reference/contract/contract.h"

namespace attest {

struct held_attention {
  std::string operator_name;  // "Attention 24", "com.microsoft MultiHeadAttention"
  const format* inputs = nullptr;
  feature_set features;
  std::string profile;  // that of the operator, as ONNX Runtime computes it
  contract kept;
  call_limits limits;
  std::string feeds;  // for the adapter (properties/adapters/onnx_model/feeds.h)
};

// Computes: what the one node of the model is and takes: Attention of opset 23 to 28, or
//   MultiHeadAttention, GroupQueryAttention or Attention of com.microsoft.
// Error: input_error naming `where` for another model, and for a node that can't be asked by
// itself.
held_attention read_held_attention(const onnx_model&, const std::string& where);

}  // namespace attest
