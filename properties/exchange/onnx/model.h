// ONNX models: what of a graph is needed to know what a test case asks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "properties/exchange/onnx/tensor.h"

namespace attest {

struct onnx_graph;

// A tensor that the model holds itself.
struct onnx_constant {
  onnx_tensor tensor;
  std::string unread;  // why there is no more of it than the name; empty: there is
};

struct onnx_attribute {
  std::string name;
  // Nothing where it is of another type (a list of strings, a sparse tensor).
  std::variant<std::monostate, double, std::int64_t, std::string, std::vector<double>,
               std::vector<std::int64_t>, std::shared_ptr<const onnx_constant>,
               std::shared_ptr<const onnx_graph>>
      value;
};

struct onnx_node {
  std::string op_type;
  std::string domain;                        // empty: that of ONNX itself
  std::vector<std::string> inputs, outputs;  // names of values; empty: left out
  std::vector<onnx_attribute> attributes;
};

// An input or output of the graph.
struct onnx_value {
  std::string name;
  int data_type = 0;                // TensorProto.DataType; 0: not said
  std::vector<std::int64_t> sizes;  // open_size where a number is not given
  std::vector<std::string> symbols =
      {};                 // of open sizes: what they are called, or empty; none at all
  bool is_ranked = true;  // whether the model says the number of sizes
};

inline constexpr std::int64_t open_size = -1;

// A graph that is an attribute of a node.
struct onnx_graph {
  std::vector<onnx_node> nodes;
  std::vector<onnx_value> inputs, outputs;
  std::vector<onnx_constant> initializers;
};

struct onnx_model {
  std::int64_t opset = 0;  // of ONNX's own domain; 0: not said
  std::vector<onnx_node> nodes;
  std::vector<onnx_value> inputs, outputs;
  std::vector<std::string> initializers;                  // the names alone
  std::map<std::string, std::int64_t> other_opsets = {};  // of the other domains
};

// Error: input_error naming `where` for bytes that are no model.
onnx_model read_onnx_model(std::string_view bytes, std::string_view where);
onnx_model read_onnx_model_file(const std::filesystem::path&);

// Result: the bytes of a .onnx file, of IR version 10, with version 1 of the domains that are not
// ONNX's own, unless it says another. Initializers of the model itself are left out.
std::string onnx_model_bytes(const onnx_model&);

}  // namespace attest
