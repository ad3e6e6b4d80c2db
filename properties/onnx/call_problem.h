// A call of ONNX's Attention as a problem, under the conventions of an edition.
#pragma once

#include "properties/onnx/attention_call.h"
#include "properties/onnx/conventions.h"
#include "reference/problems/problem.h"

namespace attest {

// Computes: the problem, in the format of Q; keys are those of the past, then those of the call. A
// causal
//   mask, a window and lengths that the problem's own fields do not say (queries that stand
//   elsewhere; a soft cap that acts on what they mask) become its mask.
problem to_problem(const attention_call&, const onnx_conventions&);

// Computes: K and V as the operator returns them, past and call together, [B, Hkv, Lk, D].
tensor present_key(const attention_call&, const onnx_conventions&);
tensor present_value(const attention_call&, const onnx_conventions&);

// Computes: Y as an answer to the problem, [B, Hq, Lq, Dv]. Domain: Y is there.
tensor stored_output(const attention_call&);
// Computes: qk_matmul_output, [B, Hq, Lq, Lk]. Domain: it is there.
tensor stored_scores(const attention_call&);

}  // namespace attest
