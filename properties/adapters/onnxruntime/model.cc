#include "properties/adapters/onnxruntime/model.h"

#include <cstring>

namespace attest_adapter::onnxruntime {
namespace {

// Fields of one message, appended in the wire format. The numbers are those of onnx.proto.
class message {
 public:
  message& integer(int field, std::int64_t value) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  message& number(int field, float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    tag(field, 5);
    for (int n = 0; n < 4; ++n) bytes_ += static_cast<char>(bits >> 8 * n & 255u);
    return *this;
  }
  message& text(int field, const std::string& value) {
    tag(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  message& part(int field, const message& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void tag(int field, unsigned wire) { varint(static_cast<std::uint64_t>(field) << 3 | wire); }
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

constexpr std::int64_t ir_version = 10;
constexpr std::int64_t default_opset = 23;  // of ONNX's own domain, which every model imports

enum attribute_type : std::int64_t { attribute_float = 1, attribute_int = 2, attribute_ints = 7 };

message attribute(const std::string& name, attribute_type type) {
  return message().text(1, name).integer(20, type);
}

// ValueInfoProto: the type of a tensor whose sizes are open.
message value_info(const port& p) {
  message shape;
  for (int n = 0; n < p.rank; ++n) shape.part(1, message());
  const message tensor = message().integer(1, p.type).part(2, shape);
  return message().text(1, p.name).part(2, message().part(1, tensor));
}

message node_proto(const operator_node& node) {
  message m;
  for (const port& p : node.inputs) m.text(1, p.name);
  for (const port& p : node.outputs) m.text(2, p.name);
  m.text(4, node.type);
  for (const auto& [name, value] : node.integers)
    m.part(5, attribute(name, attribute_int).integer(3, value));
  for (const auto& [name, value] : node.numbers)
    m.part(5, attribute(name, attribute_float).number(2, value));
  for (const auto& [name, values] : node.lists) {
    message a = attribute(name, attribute_ints);
    for (std::int64_t value : values) a.integer(8, value);
    m.part(5, a);
  }
  return m.text(7, node.domain);
}

message opset(const std::string& domain, std::int64_t version) {
  return message().text(1, domain).integer(2, version);
}

}  // namespace

std::string model_of(const operator_node& node) {
  message graph;
  graph.part(1, node_proto(node)).text(2, "attention");
  for (const port& p : node.inputs)
    if (!p.name.empty()) graph.part(11, value_info(p));
  for (const port& p : node.outputs) graph.part(12, value_info(p));
  message model;
  model.integer(1, ir_version).part(7, graph);
  if (node.domain.empty()) return model.part(8, opset("", node.version)).bytes();
  return model.part(8, opset("", default_opset)).part(8, opset(node.domain, node.version)).bytes();
}

}  // namespace attest_adapter::onnxruntime
