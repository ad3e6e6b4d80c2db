// Attention as ONNX Runtime's operators compute it. Each answers one call; what an operator has no
// attribute or input for goes into the additive mask, as models do it.
// Error: std::runtime_error with the library's message.
#pragma once

#include "properties/attest_plugin.h"

namespace attest_adapter::onnxruntime {

// Whether the operator's own attribute is used for the causal triangle of the top left corner, or
// the mask.
enum class causal_by { attribute, mask };

void attention(const attest_forward&, causal_by);     // ONNX Attention 23, 4-D inputs
void attention_24(const attest_forward&, causal_by);  // 24: with nonpad_kv_seqlen for lengths
void attention_3d(const attest_forward&, causal_by);  // 23, inputs [B, L, heads * D]
void multi_head(const attest_forward&, causal_by);    // com.microsoft MultiHeadAttention
void group_query(const attest_forward&, causal_by);   // com.microsoft GroupQueryAttention, a prompt
// com.microsoft Attention, with the identity as its weights.
void contrib_attention(const attest_forward&, causal_by);

}  // namespace attest_adapter::onnxruntime
