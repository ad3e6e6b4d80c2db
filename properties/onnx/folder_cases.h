// Reading the cases of a folder.
#pragma once

#include <filesystem>
#include <variant>
#include <vector>

#include "properties/onnx/attention_call.h"
#include "properties/onnx/flex_call.h"
#include "properties/onnx/folder.h"
#include "properties/onnx/linear_call.h"

namespace attest {

// What a case asks; nothing where it is named and not judged.
using case_call = std::variant<std::monostate, attention_call, linear_call, flex_call>;

// One data set of one case: its call, and a result that says what it is.
struct onnx_case {
  onnx_case_result result;
  case_call call;
};

struct onnx_cases {
  std::vector<onnx_case> cases;
  std::int64_t others = 0;  // cases without an operator of attention
};

// Result: the cases about attention at or below the folder. A case X_expanded, whose model computes
// the operator by others, asks what the case X beside it asks.
// Error: input_error as judge_onnx_folder.
onnx_cases read_onnx_cases(const std::filesystem::path& folder);

}  // namespace attest
