// A small test case of LinearAttention (opset 27) and its answers, by the recurrence in double.
#pragma once

#include <string>
#include <vector>

#include "properties/exchange/onnx/test_case.h"

namespace attest {

enum class linear_mistake : std::uint8_t {
  none,
  no_decay,
  no_beta,
  no_scale,
  no_past,
  previous_step,  // an output is of the state before its own position
  tiled_heads,    // query head h reads KV head h mod Hkv
};

// One batch row, 4 query heads of 2 KV heads, 5 positions, D = 3, Dv = 2, with a past state.
struct linear_case {
  std::string rule = "gated_delta";
  const format* type = &f32;
  linear_mistake mistake = linear_mistake::none;

  bool fades() const { return rule.find("gated") == 0; }
  bool looks_up() const { return rule.find("delta") != std::string::npos; }

  onnx_model model() const;
  std::vector<onnx_tensor> inputs() const;
  std::vector<onnx_tensor> outputs() const;  // with the mistake
};

}  // namespace attest
