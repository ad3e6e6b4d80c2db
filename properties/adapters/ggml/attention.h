// One call of attention as a graph of ggml, built and run as llama.cpp does it: every rule about
// keys is in the mask, precision F32 is asked for, unused places of k and v hold 0.
#pragma once

#include "properties/adapters/ggml/library.h"
#include "properties/attest_plugin.h"

namespace attest_adapter::ggml {

enum class path {
  flash,    // ggml_flash_attn_ext, with an F16 mask
  composed  // mul_mat, soft_max_ext with an F32 mask, mul_mat
};

// Error: std::runtime_error.
void attend(const library&, path, int threads, const attest_forward&);

}  // namespace attest_adapter::ggml
