// ONNX models of one operator, written in the wire format of Protocol Buffers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/adapters/onnxruntime/api.h"

namespace attest_adapter::onnxruntime {

// An input or output of the graph; sizes are left open. An empty name: an optional input that is
// left out.
struct port {
  std::string name;
  element_type type;
  int rank;
};

struct operator_node {
  std::string domain;  // empty: ONNX's own
  std::string type;
  std::int64_t version;  // of the domain's operators
  std::vector<std::pair<std::string, std::int64_t>> integers;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> lists;
  std::vector<std::pair<std::string, float>> numbers;
  std::vector<port> inputs;
  std::vector<port> outputs;
};

// Result: the bytes of a ModelProto that holds this node alone.
std::string model_of(const operator_node&);

}  // namespace attest_adapter::onnxruntime
