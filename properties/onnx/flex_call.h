// One call of FlexAttention (ai.onnx.preview, version 1), as a test case holds it.
//
// Source: https://onnx.ai/onnx/operators/onnx_aionnxpreview_FlexAttention.html
#pragma once

#include <map>
#include <memory>
#include <string>

#include "properties/onnx/attention_call.h"

namespace attest {

struct flex_call {
  attention_call plain;          // the same without modifiers: Q, K, V, Y, scale
  const format* softmax = &f32;  // softmax_precision: the type of what the modifiers see
  std::shared_ptr<const onnx_graph> score_mod, prob_mod;  // nullptr: none
  std::map<std::string, array> outer;  // inputs of the model, which modifiers may read
  std::string where;

  bool is_modified() const { return score_mod != nullptr || prob_mod != nullptr; }
};

// Whether the model is one node FlexAttention of ai.onnx.preview.
bool is_flex_attention(const onnx_model&);

// Result: empty where the call is judged; else what stands in the way: "attribute x", "the operator
// Foo in score_mod". Domain: is_flex_attention(model).
std::string why_flex_not_judged(const onnx_model&);

// Domain: why_flex_not_judged(model) is empty.
// Error: input_error naming `where`, as read_attention_call; and for a rank other than 4.
flex_call read_flex_call(const onnx_model&, const onnx_data_set&, const std::string& where);

}  // namespace attest
