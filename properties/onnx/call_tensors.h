// The tensors of a test case's call by the names that the operator's schema gives them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "properties/exchange/onnx/test_case.h"

namespace attest {

struct call_schema {
  std::span<const std::string_view> inputs, outputs;  // in the order of the node
};

// Points into the data set.
class call_tensors {
 public:
  // Domain: a model of one node. Error: input_error naming `where` for a data set with more or
  // fewer files than the graph has inputs and outputs.
  call_tensors(const onnx_model&, const onnx_data_set&, const call_schema&,
               const std::string& where);

  // Result: nothing where the node leaves it out.
  std::optional<array> take(std::string_view name) const;

 private:
  std::map<std::string_view, const array*> found_;
};

}  // namespace attest
