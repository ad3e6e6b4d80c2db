#include "properties/exchange/onnx/model.h"

#include <fstream>
#include <iterator>
#include <limits>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/onnx/messages.pb.h"
#include "reference/input_error.h"

namespace attest {
namespace {

constexpr std::string_view file_kind = ".onnx";
constexpr std::int64_t ir_version = 10;

// AttributeProto.AttributeType.
enum attribute_type : int {
  float_attribute = 1,
  int_attribute = 2,
  string_attribute = 3,
  tensor_attribute = 4,
  graph_attribute = 5,
  floats_attribute = 6,
  ints_attribute = 7
};

// Files of old producers do not say the type: then the field that is there counts.
int type_of(const onnx_wire::Attribute& a) {
  if (a.has_type()) return a.type();
  if (a.has_f()) return float_attribute;
  if (a.has_i()) return int_attribute;
  if (a.has_s()) return string_attribute;
  if (a.has_t()) return tensor_attribute;
  if (a.has_g()) return graph_attribute;
  if (a.floats_size() > 0) return floats_attribute;
  return a.ints_size() > 0 ? ints_attribute : 0;
}

// A tensor of a type that is not read does not make the model unreadable.
onnx_constant to_constant(const onnx_wire::Tensor& t) {
  try {
    return {to_onnx_constant(t, "tensor " + shown(t.name())), ""};
  } catch (const input_error& why) {
    return {{t.name(), {}}, why.what()};
  }
}

onnx_graph to_graph(const onnx_wire::Subgraph&);

onnx_attribute to_attribute(const onnx_wire::Attribute& a) {
  switch (type_of(a)) {
    case float_attribute:
      return {a.name(), static_cast<double>(a.f())};
    case int_attribute:
      return {a.name(), std::int64_t{a.i()}};
    case string_attribute:
      return {a.name(), a.s()};
    case tensor_attribute:
      return {a.name(), std::make_shared<const onnx_constant>(to_constant(a.t()))};
    case graph_attribute:
      return {a.name(), std::make_shared<const onnx_graph>(to_graph(a.g()))};
    case floats_attribute:
      return {a.name(), std::vector<double>(a.floats().begin(), a.floats().end())};
    case ints_attribute:
      return {a.name(), std::vector<std::int64_t>(a.ints().begin(), a.ints().end())};
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

// The nodes and values that both kinds of graphs have.
template <class Graph, class Wire>
void read_graph(Graph& graph, const Wire& g) {
  for (const auto& n : g.node()) graph.nodes.push_back(to_node(n));
  for (const auto& v : g.input()) graph.inputs.push_back(to_value(v));
  for (const auto& v : g.output()) graph.outputs.push_back(to_value(v));
}

onnx_graph to_graph(const onnx_wire::Subgraph& g) {
  onnx_graph graph;
  read_graph(graph, g);
  for (const auto& t : g.initializer()) graph.initializers.push_back(to_constant(t));
  return graph;
}

void set_constant(onnx_wire::Tensor& t, const onnx_constant& given) {
  if (given.unread.empty())
    set_onnx_tensor(t, given.tensor);
  else
    t.set_name(given.tensor.name);
}

template <class Graph, class Wire>
void set_graph(Wire&, const Graph&);

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
  } else if (const auto* floats = std::get_if<std::vector<double>>(&given.value)) {
    a.set_type(floats_attribute);
    for (const double x : *floats) a.add_floats(static_cast<float>(x));
  } else if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&given.value)) {
    a.set_type(ints_attribute);
    for (const std::int64_t n : *ints) a.add_ints(n);
  } else if (const auto* t = std::get_if<std::shared_ptr<const onnx_constant>>(&given.value)) {
    a.set_type(tensor_attribute);
    set_constant(*a.mutable_t(), **t);
  } else if (const auto* g = std::get_if<std::shared_ptr<const onnx_graph>>(&given.value)) {
    a.set_type(graph_attribute);
    set_graph(*a.mutable_g(), **g);
    for (const onnx_constant& c : (*g)->initializers)
      set_constant(*a.mutable_g()->add_initializer(), c);
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

template <class Graph, class Wire>
void set_graph(Wire& wire, const Graph& graph) {
  wire.set_name("attest");
  for (const onnx_node& n : graph.nodes) set_node(*wire.add_node(), n);
  for (const onnx_value& v : graph.inputs) set_value(*wire.add_input(), v);
  for (const onnx_value& v : graph.outputs) set_value(*wire.add_output(), v);
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
    (is_onnx_domain(set.domain()) ? model.opset : model.other_opsets[set.domain()]) = set.version();
  read_graph(model, m.graph());
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
  std::map<std::string, std::int64_t> domains = model.other_opsets;
  for (const onnx_node& n : model.nodes)
    if (!n.domain.empty()) domains.try_emplace(n.domain, 1);
  for (const auto& [domain, version] : domains) add_operators(m, domain, version);
  set_graph(*m.mutable_graph(), model);
  return m.SerializeAsString();
}

}  // namespace attest
