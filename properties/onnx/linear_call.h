// One call of ONNX's operator LinearAttention (opset 27), as a test case holds it.
#pragma once

#include <optional>
#include <string>

#include "properties/exchange/array.h"
#include "properties/exchange/onnx/test_case.h"
#include "reference/linear/linear_problem.h"

namespace attest {

struct linear_call {
  linear_problem posed;
  const format* inputs = &f32;         // the type of query
  std::optional<array> output;         // stored, [B, L, Hq Dv]
  std::optional<array> present_state;  // stored, [B, Hkv, D, Dv], perhaps of another type
};

// Whether the model is one node LinearAttention of ONNX's own domain.
bool is_linear_attention(const onnx_model&);

// Result: empty where the call is judged; else what stands in the way: "attribute x", "opset 26".
// Domain: is_linear_attention(model).
std::string why_linear_not_judged(const onnx_model&);

// Domain: why_linear_not_judged(model) is empty.
// Error: input_error naming `where`, for tensors that are missing, of another type, or whose sizes
// do
//   not fit each other, and for inputs that the update rule asks for or forbids.
linear_call read_linear_call(const onnx_model&, const onnx_data_set&, const std::string& where);

}  // namespace attest
