// Running a model of one operator on dense tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/adapters/onnxruntime/model.h"

namespace attest_adapter::onnxruntime {

// An input: its data, dense, and the sizes that the model left open.
struct argument {
  port where;
  std::vector<std::byte> data;
  std::vector<std::int64_t> sizes;
};

// The bits of numbers, as they are given to an argument.
template <class T>
std::vector<std::byte> bits_of(const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const std::byte*>(values.data());
  return std::vector<std::byte>(begin, begin + values.size() * sizeof(T));
}

// Computes: the node's first output, in a model of it alone. node.inputs are set from the
// arguments; one without a name is left out. Sessions are kept, one a model. Result: its bytes, of
// which there are so many. Error: std::runtime_error with the library's message.
std::vector<std::byte> run(operator_node node, std::vector<argument> arguments, std::size_t bytes);

// Computes: the outputs of that name of a model, as the bytes of a .onnx file; the first of them is
// the result. The arguments are the graph's inputs. Sessions are kept, one a model.
std::vector<std::byte> run(const std::string& model, std::vector<argument> arguments,
                           const std::vector<std::string>& outputs, std::size_t bytes);

// Error: std::runtime_error with the library's message, where it does not take the model.
void load_model(const std::string& model);

}  // namespace attest_adapter::onnxruntime
