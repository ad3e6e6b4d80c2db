// One call of ONNX's operator Attention, as a test case holds it: attributes, inputs, stored
// answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/exchange/array.h"
#include "properties/exchange/onnx/test_case.h"
#include "reference/problems/problem.h"

namespace attest {

// The attributes, as the operator's schema names them.
struct attention_attributes {
  std::int64_t q_num_heads = 0, kv_num_heads = 0;  // of inputs of rank 3; 0: not given
  bool is_causal = false;
  std::optional<double> scale;
  double softcap = 0;
  std::int64_t qk_matmul_output_mode = 0;
  const format* softmax_precision = nullptr;  // nullptr: the type of the inputs
  window sliding;                             // left_window_size and right_window_size, opset 25
};

struct attention_call {
  std::int64_t opset = 0;
  attention_attributes given;
  array q, k, v;
  std::optional<array> attn_mask, past_key, past_value, nonpad_kv_seqlen;
  // The stored answers, where the node has the output.
  std::optional<array> y, present_key, present_value, qk_matmul_output;

  shape dims;                  // keys: those of the past and of this call together
  std::int64_t past_keys = 0;  // how many of them are of the past

  bool is_packed() const { return q.sizes.size() == 3; }  // [B, L, H D] rather than [B, H, L, D]
};

// Result: empty where the model is one node Attention that attest judges; else what it is instead:
//   "FlexAttention (ai.onnx.preview)", "attribute x".
std::string why_not_judged(const onnx_model&);

// Computes: the attributes of the node. Domain: why_not_judged(model) is empty.
attention_attributes attributes_of(const onnx_model&);

// Whether some node of the model is an operator of attention: Attention of any domain,
// LinearAttention, FlexAttention.
bool is_about_attention(const onnx_model&);

// Result: the call. Domain: why_not_judged(model) is empty.
// Error: input_error naming `where`, for tensors that are missing, of another type, or whose sizes
// do
//   not fit each other.
attention_call read_attention_call(const onnx_model&, const onnx_data_set&,
                                   const std::string& where);

}  // namespace attest
