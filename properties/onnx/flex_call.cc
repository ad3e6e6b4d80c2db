#include "properties/onnx/flex_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/call_tensors.h"
#include "properties/onnx/graph/evaluate_graph.h"

namespace attest {
namespace {

constexpr std::string_view operator_domain = "ai.onnx.preview";
constexpr std::int64_t operator_version = 1;
constexpr std::string_view input_names[] = {"Q", "K", "V"};
constexpr std::string_view output_names[] = {"Y"};

using graph_attribute = std::shared_ptr<const onnx_graph>;

struct flex_attributes {
  std::optional<double> scale;
  const format* softmax = nullptr;  // nullptr: not given
  graph_attribute score_mod, prob_mod;
};

// Result: empty, or what is not taken.
std::string set_scale(flex_attributes& a, const onnx_attribute& given) {
  const auto* scale = std::get_if<double>(&given.value);
  if (scale == nullptr || !std::isfinite(*scale)) return "this value of the attribute scale";
  a.scale = *scale;
  return "";
}

std::string set_precision(flex_attributes& a, const onnx_attribute& given) {
  const auto* number = std::get_if<std::int64_t>(&given.value);
  for (const format* f : {&f32, &f16, &f64, &bf16})
    if (number != nullptr && onnx_data_type({f, {}, {}}) == *number) a.softmax = f;
  return a.softmax != nullptr ? "" : "this value of the attribute softmax_precision";
}

std::string set_modifier(graph_attribute& modifier, const onnx_attribute& given) {
  const auto* graph = std::get_if<graph_attribute>(&given.value);
  if (graph == nullptr) return "this value of the attribute " + given.name;
  modifier = *graph;
  const std::string why = why_graph_not_taken(**graph);
  return why.empty() ? "" : why + " in " + given.name;
}

std::string set_attribute(flex_attributes& a, const onnx_attribute& given) {
  if (given.name == "scale") return set_scale(a, given);
  if (given.name == "softmax_precision") return set_precision(a, given);
  if (given.name == "score_mod") return set_modifier(a.score_mod, given);
  if (given.name == "prob_mod") return set_modifier(a.prob_mod, given);
  for (const char* name : {"mask_mod", "enable_gqa", "mask_value"})
    if (given.name == name) return fmt::format("attribute {}, of an older draft", name);
  return "attribute " + shown(given.name);
}

std::string why_not_read(flex_attributes& a, const onnx_node& node) {
  for (const onnx_attribute& given : node.attributes)
    if (std::string why = set_attribute(a, given); !why.empty()) return why;
  return "";
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a modifier reads from around itself may be an input, but nothing that the model holds.
std::string why_not_fed(const onnx_model& model, const graph_attribute& modifier) {
  if (modifier == nullptr) return "";
  std::vector<std::string> own{modifier->inputs.front().name};
  for (const onnx_constant& c : modifier->initializers) own.push_back(c.tensor.name);
  for (const onnx_node& node : modifier->nodes)
    for (const std::string& name : node.inputs)
      if (!holds(own, name) && holds(model.initializers, name))
        return "a modifier that reads what the model holds around it";
  return "";
}

// Names at the end that are empty are left out.
std::size_t count_named(std::vector<std::string> names) {
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names.size();
}

// FlexAttention without modifiers, as a model of Attention.
onnx_model without_attributes(onnx_model model) {
  model.nodes.front().attributes.clear();
  return model;
}

void require_rank_4(const call_tensors& found, const std::string& where) {
  for (const std::string_view name : input_names)
    if (const auto a = found.take(name); a && a->sizes.size() != 4)
      refuse(where, fmt::format("{} has rank {}", name, a->sizes.size()), "4");
}

std::map<std::string, array> inputs_by_name(const onnx_model& model, const onnx_data_set& set) {
  std::map<std::string, array> inputs;
  std::size_t next = 0;
  for (const onnx_value& v : model.inputs)
    if (!holds(model.initializers, v.name)) inputs.emplace(v.name, set.inputs[next++].held);
  return inputs;
}

}  // namespace

bool is_flex_attention(const onnx_model& model) {
  return model.nodes.size() == 1 && model.nodes.front().op_type == "FlexAttention" &&
         model.nodes.front().domain == operator_domain;
}

std::string why_flex_not_judged(const onnx_model& model) {
  const onnx_node& node = model.nodes.front();
  const auto version = model.other_opsets.find(std::string(operator_domain));
  if (version != model.other_opsets.end() && version->second != operator_version)
    return fmt::format("FlexAttention in version {} of {}", version->second, operator_domain);
  const std::size_t inputs = count_named(node.inputs), outputs = count_named(node.outputs);
  if (inputs != std::size(input_names) || outputs != std::size(output_names))
    return fmt::format("{} inputs and {} outputs", inputs, outputs);
  for (const std::string& name : node.inputs)
    if (holds(model.initializers, name)) return "an input that the model holds itself";
  flex_attributes given;
  if (std::string why = why_not_read(given, node); !why.empty()) return why;
  for (const graph_attribute& modifier : {given.score_mod, given.prob_mod})
    if (std::string why = why_not_fed(model, modifier); !why.empty()) return why;
  return "";
}

flex_call read_flex_call(const onnx_model& model, const onnx_data_set& set,
                         const std::string& where) {
  flex_attributes given;
  why_not_read(given, model.nodes.front());
  const onnx_model plain = without_attributes(model);
  require_rank_4(call_tensors(plain, set, {input_names, output_names}, where), where);
  flex_call call{.plain = read_attention_call(plain, set, where),
                 .score_mod = given.score_mod,
                 .prob_mod = given.prob_mod,
                 .outer = inputs_by_name(model, set),
                 .where = where};
  if (!call.plain.y) refuse(where, "Y is missing", "a stored answer");
  const format& type = *call.plain.q.element;
  call.softmax = given.softmax != nullptr ? given.softmax : type == f64 ? &f64 : &f32;
  call.plain.given.scale = given.scale;
  call.plain.given.softmax_precision = call.softmax;
  return call;
}

}  // namespace attest
