#include "properties/exchange/onnx/model.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/onnx/messages.pb.h"

namespace attest {
namespace {

constexpr std::string_view file_kind = ".onnx";
constexpr std::int64_t ir_version = 10;

// AttributeProto.AttributeType.
enum attribute_type : int { float_attribute = 1, int_attribute = 2, string_attribute = 3 };

// Files of old producers do not say the type: then the field that is there counts.
int type_of(const onnx_wire::Attribute& a) {
  if (a.has_type()) return a.type();
  if (a.has_f()) return float_attribute;
  if (a.has_i()) return int_attribute;
  return a.has_s() ? string_attribute : 0;
}

onnx_attribute to_attribute(const onnx_wire::Attribute& a) {
  switch (type_of(a)) {
    case float_attribute:
      return {a.name(), static_cast<double>(a.f())};
    case int_attribute:
      return {a.name(), std::int64_t{a.i()}};
    case string_attribute:
      return {a.name(), a.s()};
    default:
      return {a.name(), {}};
  }
}

bool is_onnx_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

onnx_node to_node(const onnx_wire::Node& n) {
  onnx_node node{n.op_type(),
                 is_onnx_domain(n.domain()) ? "" : n.domain(),
                 {n.input().begin(), n.input().end()},
                 {n.output().begin(), n.output().end()},
                 {}};
  for (const auto& a : n.attribute()) node.attributes.push_back(to_attribute(a));
  return node;
}

onnx_value to_value(const onnx_wire::ValueInfo& v) {
  const onnx_wire::TensorType& type = v.type().tensor_type();
  onnx_value value{v.name(), type.elem_type(), {}, {}, type.has_shape()};
  for (const auto& dim : type.shape().dim()) {
    value.sizes.push_back(dim.has_dim_value() ? dim.dim_value() : open_size);
    value.symbols.push_back(dim.dim_param());
  }
  return value;
}

void set_attribute(onnx_wire::Attribute& a, const onnx_attribute& given) {
  a.set_name(given.name);
  if (const auto* f = std::get_if<double>(&given.value)) {
    a.set_type(float_attribute);
    a.set_f(static_cast<float>(*f));
  } else if (const auto* i = std::get_if<std::int64_t>(&given.value)) {
    a.set_type(int_attribute);
    a.set_i(*i);
  } else if (const auto* s = std::get_if<std::string>(&given.value)) {
    a.set_type(string_attribute);
    a.set_s(*s);
  }
}

void set_node(onnx_wire::Node& n, const onnx_node& given) {
  n.set_op_type(given.op_type);
  if (!given.domain.empty()) n.set_domain(given.domain);
  for (const std::string& name : given.inputs) n.add_input(name);
  for (const std::string& name : given.outputs) n.add_output(name);
  for (const onnx_attribute& a : given.attributes) set_attribute(*n.add_attribute(), a);
}

void set_value(onnx_wire::ValueInfo& v, const onnx_value& given) {
  v.set_name(given.name);
  onnx_wire::TensorType& type = *v.mutable_type()->mutable_tensor_type();
  type.set_elem_type(given.data_type);
  if (!given.is_ranked) return;
  type.mutable_shape();
  for (std::size_t n = 0; n < given.sizes.size(); ++n) {
    onnx_wire::Dimension& dim = *type.mutable_shape()->add_dim();
    if (given.sizes[n] != open_size)
      dim.set_dim_value(given.sizes[n]);
    else if (n < given.symbols.size())
      dim.set_dim_param(given.symbols[n]);
  }
}

void add_operators(onnx_wire::Model& m, const std::string& domain, std::int64_t version) {
  onnx_wire::OperatorSet& set = *m.add_opset_import();
  set.set_domain(domain);
  set.set_version(version);
}

}  // namespace

onnx_model read_onnx_model(std::string_view bytes, std::string_view where) {
  onnx_wire::Model m;
  const bool fits = bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (!fits || !m.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !m.has_graph())
    refuse(where, "bytes that are no model", "a ModelProto of ONNX");
  onnx_model model;
  for (const auto& set : m.opset_import())
    if (is_onnx_domain(set.domain())) model.opset = set.version();
  for (const auto& n : m.graph().node()) model.nodes.push_back(to_node(n));
  for (const auto& v : m.graph().input()) model.inputs.push_back(to_value(v));
  for (const auto& v : m.graph().output()) model.outputs.push_back(to_value(v));
  for (const auto& t : m.graph().initializer()) model.initializers.push_back(t.name());
  return model;
}

onnx_model read_onnx_model_file(const std::filesystem::path& path) {
  std::ifstream in = open_array_file(path, file_kind);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return read_onnx_model(bytes, path.string());
}

std::string onnx_model_bytes(const onnx_model& model) {
  onnx_wire::Model m;
  m.set_ir_version(ir_version);
  m.set_producer_name("attest");
  add_operators(m, "", model.opset);
  std::set<std::string> domains;
  for (const onnx_node& n : model.nodes)
    if (!n.domain.empty() && domains.insert(n.domain).second) add_operators(m, n.domain, 1);
  onnx_wire::Graph& graph = *m.mutable_graph();
  graph.set_name("attest");
  for (const onnx_node& n : model.nodes) set_node(*graph.add_node(), n);
  for (const onnx_value& v : model.inputs) set_value(*graph.add_input(), v);
  for (const onnx_value& v : model.outputs) set_value(*graph.add_output(), v);
  return m.SerializeAsString();
}

}  // namespace attest
