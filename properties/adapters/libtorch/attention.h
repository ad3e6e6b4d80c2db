// One call of attention as PyTorch's C++ library computes it, built on its own: it alone is linked
// with libtorch, which takes half a second to load.
#pragma once

#include "properties/attest_plugin.h"

namespace attest_adapter::libtorch {

enum class path : int {
  scaled_dot_product,       // at::_scaled_dot_product_attention
  multi_head,               // torch::nn::MultiheadAttention with projections that are the identity
  multi_head_boolean_mask,  // the same with a boolean attn_mask in place of one that is added
};

}  // namespace attest_adapter::libtorch

// Domain: f32, f64 or bf16. multi_head: as many heads of k and v as of q, of the same width, and
// rules about positions that are the same for all batch rows but for the lengths.
// Result: null, or why it failed, alive until the next call.
extern "C" ATTEST_EXPORT const char* attest_libtorch_attend(attest_adapter::libtorch::path,
                                                            const attest_forward*);
