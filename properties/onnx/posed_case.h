// A problem as a test case of ONNX's Attention, to be written for others to run.
#pragma once

#include <string>
#include <vector>

#include "properties/exchange/onnx/test_case.h"
#include "reference/problems/problem.h"

namespace attest {

struct posed_case {
  onnx_model model;  // one node Attention, opset 24, and its inputs and Y
  std::vector<onnx_tensor> inputs;
  std::string refused;  // why the operator can't be asked this; empty: it can

  // Result: the files of a case: its inputs and, as Y, the values of o, [B, Hq, Lq, Dv] in
  // row-major order.
  onnx_data_set with_output(const std::vector<double>& o) const;
};

// Computes: the case that means the problem under the conventions of edition 1.22. A window, and
// positions that
//   is_causal does not say, become part of the mask; a mask beside a bias becomes -inf in the bias.
// Special: refused are a sink, a scale or soft cap that is no float or below 0, types other than
// f64, f32, f16
//   and bf16, and conventions (heads that tile, a cap after the bias, empty rows that are not 0).
posed_case to_onnx_case(const problem&);

}  // namespace attest
