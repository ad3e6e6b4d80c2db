// One call of attention as three primitives of oneDNN: matmul, softmax, matmul. The scale is the
// first one's output scale; soft cap, bias and every rule about keys are operations after it.
#pragma once

#include "properties/attest_plugin.h"

namespace attest_adapter::onednn {

// The instructions that oneDNN may use at most (ONEDNN_MAX_CPU_ISA).
enum class instructions { sse41, avx, avx2, avx512_core, avx512_core_bf16, avx512_core_amx };

// Domain: f32, or bf16 with AVX-512. All calls of a process have the same instructions: oneDNN
// settles them at the first one.
// Error: std::exception.
void attend(instructions, const attest_forward&);

}  // namespace attest_adapter::onednn
