#include "properties/onnx/call_tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

// Those of the graph that come from files: the ones that are no initializers.
std::vector<std::string> names_of(const std::vector<onnx_value>& values,
                                  const std::vector<std::string>& left_out) {
  std::vector<std::string> names;
  for (const onnx_value& v : values)
    if (std::find(left_out.begin(), left_out.end(), v.name) == left_out.end())
      names.push_back(v.name);
  return names;
}

void fill(std::map<std::string_view, const array*>& found, std::span<const std::string_view> schema,
          const std::vector<std::string>& of_node, const std::vector<std::string>& of_graph,
          const std::vector<onnx_tensor>& tensors, const std::string& where) {
  if (of_graph.size() != tensors.size())
    refuse(where,
           fmt::format("{} files for {} values of the graph", tensors.size(), of_graph.size()),
           "as many");
  for (std::size_t n = 0; n < std::min(schema.size(), of_node.size()); ++n) {
    const auto at = std::find(of_graph.begin(), of_graph.end(), of_node[n]);
    if (!of_node[n].empty() && at != of_graph.end())
      found[schema[n]] = &tensors[static_cast<std::size_t>(at - of_graph.begin())].held;
  }
}

}  // namespace

call_tensors::call_tensors(const onnx_model& model, const onnx_data_set& set,
                           const call_schema& schema, const std::string& where) {
  const onnx_node& node = model.nodes.front();
  fill(found_, schema.inputs, node.inputs, names_of(model.inputs, model.initializers), set.inputs,
       where);
  fill(found_, schema.outputs, node.outputs, names_of(model.outputs, {}), set.outputs, where);
}

std::optional<array> call_tensors::take(std::string_view name) const {
  const auto at = found_.find(name);
  return at == found_.end() ? std::nullopt : std::optional(*at->second);
}

}  // namespace attest
