#include "properties/onnx/graph/evaluate_graph.h"

#include <fmt/format.h>

#include <set>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

// Of all tensors that the nodes of a graph give, and of those that they read, together.
constexpr std::int64_t most_results = std::int64_t{1} << 21;
constexpr std::int64_t most_operands = std::int64_t{1} << 22;
constexpr std::size_t most_inputs = 64;  // of a node

graph_operator find_operator(std::string_view name) {
  for (const auto find : {find_number_operator, find_choice_operator, find_shape_operator,
                          find_place_operator, find_reduction})
    if (const graph_operator found = find(name)) return found;
  return nullptr;
}

class evaluation {
 public:
  evaluation(const onnx_graph& graph, const outer_tensors& outer, const graph_arithmetic& numbers,
             const std::string& where)
      : graph_(graph), outer_(outer), numbers_(numbers), where_(where) {
    for (const onnx_node& node : graph.nodes)
      for (const std::string& name : node.inputs) ++readers_[name];
    ++readers_[graph.outputs.front().name];
  }

  ranged_tensor of(ranged_tensor given) {
    define(graph_.inputs.front().name, std::move(given));
    for (const onnx_constant& c : graph_.initializers) define_initializer(c);
    for (const onnx_node& node : graph_.nodes) evaluate(node);
    return find(graph_.outputs.front().name);
  }

 private:
  void define(const std::string& name, ranged_tensor value) {
    count(results_, value, most_results);
    if (!defined_.insert(name).second)
      refuse(where_, "the value " + shown(name) + " twice", "each name once");
    if (readers_.count(name) > 0) values_.emplace(name, std::move(value));
  }

  static void count(std::int64_t& all, const ranged_tensor& t, std::int64_t most) {
    all += static_cast<std::int64_t>(t.values.size());
    if (all > most) throw not_taken(fmt::format("a graph of more than {} numbers", most));
  }

  // Those that no node reads do not matter.
  void define_initializer(const onnx_constant& c) {
    if (c.tensor.name == graph_.inputs.front().name || readers_.count(c.tensor.name) == 0) return;
    if (!c.unread.empty()) throw not_taken(c.unread);
    define(c.tensor.name, to_ranged(c.tensor.held, numbers_));
  }

  // In the graph, or else around it.
  const ranged_tensor& find(const std::string& name) {
    const auto own = values_.find(name);
    if (own != values_.end()) return own->second;
    const auto outer = outer_.find(name);
    if (outer == outer_.end())
      refuse(where_, "the value " + shown(name) + ", which nothing before it gives",
             "nodes after those that they read");
    return values_.emplace(name, to_ranged(outer->second, numbers_)).first->second;
  }

  void evaluate(const onnx_node& node) {
    std::vector<const ranged_tensor*> inputs;
    for (const std::string& name : node.inputs)
      inputs.push_back(name.empty() ? nullptr : &find(name));
    for (const ranged_tensor* input : inputs)
      if (input != nullptr) count(operands_, *input, most_operands);
    ranged_tensor result =
        find_operator(node.op_type)(operator_call(node, std::move(inputs), numbers_, where_));
    for (const std::string& name : node.inputs)
      if (--readers_[name] == 0) values_.erase(name);
    define(node.outputs.front(), std::move(result));
  }

  const onnx_graph& graph_;
  const outer_tensors& outer_;
  const graph_arithmetic& numbers_;
  const std::string& where_;
  std::map<std::string, std::int64_t> readers_;  // how often each is still read
  std::map<std::string, ranged_tensor> values_;
  std::set<std::string> defined_;
  std::int64_t results_ = 0, operands_ = 0;
};

}  // namespace

std::string why_graph_not_taken(const onnx_graph& graph) {
  if (graph.inputs.size() != 1 || graph.outputs.size() != 1)
    return fmt::format("{} inputs and {} outputs", graph.inputs.size(), graph.outputs.size());
  for (const onnx_node& node : graph.nodes) {
    const std::string name = shown(node.op_type);
    if (!node.domain.empty()) return fmt::format("the operator {} ({})", name, shown(node.domain));
    if (find_operator(node.op_type) == nullptr) return "the operator " + name;
    if (node.outputs.size() != 1 || node.outputs.front().empty())
      return fmt::format("{} with {} outputs", name, node.outputs.size());
    if (node.inputs.size() > most_inputs)
      return fmt::format("{} with {} inputs", name, node.inputs.size());
  }
  return "";
}

ranged_tensor evaluate_graph(const onnx_graph& graph, ranged_tensor given,
                             const outer_tensors& outer, const graph_arithmetic& numbers,
                             const std::string& where) {
  return evaluation(graph, outer, numbers, where).of(std::move(given));
}

}  // namespace attest
