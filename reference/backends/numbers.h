// The evaluations behind the numbers: each declared here, defined in the file of its number.
#pragma once

#include "reference/backends/backend.h"

namespace attest {

// float64, float32 in the two-pass order; the others go through the stages, in f64 or f32 with
// subnormals kept.
void evaluate_float64(const backend&, const problem&, tensor& o, tensor* lse);
void evaluate_float32(const backend&, const problem&, tensor& o, tensor* lse);

// By the stages of the backend's contract.
void evaluate_contract(const backend&, const problem&, tensor& o, tensor* lse);

void evaluate_mp50(const backend&, const problem&, tensor& o, tensor* lse);
void evaluate_mp100(const backend&, const problem&, tensor& o, tensor* lse);
void evaluate_mpfr(const backend&, const problem&, tensor& o, tensor* lse);

}  // namespace attest
