#include "properties/onnx/linear_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/call_tensors.h"

namespace attest {
namespace {

constexpr std::int64_t first_opset = 27, last_opset = 28;

constexpr std::string_view input_names[] = {"query", "key",  "value",     "past_state",
                                            "decay", "beta", "erase_gate"};
constexpr std::string_view output_names[] = {"output", "present_state"};

// The recurrences by name.
struct update_rule {
  std::string_view name;
  bool fades, looks_up;
};
constexpr update_rule update_rules[] = {{"linear", false, false},
                                        {"gated", true, false},
                                        {"delta", false, true},
                                        {"gated_delta", true, true}};

struct linear_attributes {
  std::int64_t query_heads = 0, kv_heads = 0;
  std::optional<double> scale;
  const update_rule* rule = &update_rules[3];
};

// Result: empty, or what is not taken.
std::string set_attribute(linear_attributes& a, const onnx_attribute& given) {
  const auto* number = std::get_if<std::int64_t>(&given.value);
  if (given.name == "q_num_heads" || given.name == "kv_num_heads") {
    if (number == nullptr || *number < 1) return "this value of the attribute " + given.name;
    (given.name == "q_num_heads" ? a.query_heads : a.kv_heads) = *number;
    return "";
  }
  if (given.name == "chunk_size") return "";  // a hint about speed
  if (given.name == "scale") {
    const auto* scale = std::get_if<double>(&given.value);
    if (scale == nullptr || !std::isfinite(*scale)) return "this value of the attribute scale";
    if (*scale != 0) a.scale = *scale;  // 0: the usual one
    return "";
  }
  if (given.name != "update_rule") return "attribute " + given.name;
  const auto* name = std::get_if<std::string>(&given.value);
  for (const update_rule& rule : update_rules)
    if (name != nullptr && rule.name == *name) {
      a.rule = &rule;
      return "";
    }
  return "this value of the attribute update_rule";
}

std::string why_not_read(linear_attributes& a, const onnx_node& node) {
  for (const onnx_attribute& given : node.attributes)
    if (std::string why = set_attribute(a, given); !why.empty()) return why;
  if (a.query_heads == 0 || a.kv_heads == 0) return "no q_num_heads or kv_num_heads";
  return a.query_heads % a.kv_heads == 0 ? "" : "query heads that KV heads do not divide";
}

class linear_reader {
 public:
  linear_reader(const linear_attributes& given, const call_tensors& found, const std::string& where)
      : given_(given), found_(found), where_(where) {}

  linear_call read() {
    take_operands();
    take_gates();
    take_state();
    take_answers();
    return std::move(call_);
  }

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& what,
                         const std::string& allowed) const {
    refuse(where_, fmt::format("{} {}", name, what), allowed);
  }

  array require(std::string_view name) const {
    auto a = found_.take(name);
    if (!a) fail(name, "is missing", "a tensor in a file");
    require_floating(name, *a);
    return *std::move(a);
  }

  void require_floating(std::string_view name, const array& a) const {
    if (a.kind != element_kind::floating)
      fail(name, "holds no floating numbers", "a floating type");
  }

  void require_sizes(std::string_view name, const array& a,
                     const std::vector<std::int64_t>& due) const {
    if (a.sizes != due)
      fail(name, "has sizes [" + sizes_text(a.sizes) + "]", "[" + sizes_text(due) + "]");
  }

  // [B, L, H D] as [B, H, L, D].
  tensor unpacked(std::string_view name, const array& a, std::int64_t heads) const {
    if (a.sizes.size() != 3) fail(name, fmt::format("has rank {}", a.sizes.size()), "3");
    if (a.sizes[2] == 0 || a.sizes[2] % heads != 0)
      fail(name, fmt::format("has width {} for {} heads", a.sizes[2], heads), "a multiple");
    const std::int64_t width = a.sizes[2] / heads;
    tensor t(*a.element, place(layout::bhld, {a.sizes[0], heads, a.sizes[1], width}), 0);
    std::size_t n = 0;
    for_each_index({a.sizes[0], a.sizes[1], heads, width}, [&](const index4& i) {
      t.set({i[0], i[2], i[1], i[3]}, a.values[n++]);
    });
    return t;
  }

  void take_operands() {
    linear_problem& p = call_.posed;
    const array q = require("query"), k = require("key"), v = require("value");
    call_.inputs = q.element;
    p.q = unpacked("query", q, given_.query_heads);
    p.k = unpacked("key", k, given_.kv_heads);
    p.v = unpacked("value", v, given_.kv_heads);
    const index4 sizes = p.q.sizes();
    p.dims = {sizes[0], sizes[1], given_.kv_heads, sizes[2], sizes[2], sizes[3], p.v.sizes()[3]};
    if (p.k.sizes() != p.dims.k_sizes())
      fail("key", "does not fit query", "the same batch, length and head size");
    if (p.v.sizes() != p.dims.v_sizes())
      fail("value", "does not fit key", "the same batch and length");
    p.scale = given_.scale;
  }

  // What the update rule asks for is there, and nothing else.
  std::optional<array> gate(std::string_view name, bool asked, bool required) const {
    auto a = found_.take(name);
    const std::string rule(given_.rule->name);
    if (a && !asked) fail(name, "is given", "none, where update_rule is " + rule);
    if (!a && asked && required) fail(name, "is missing", "a tensor, where update_rule is " + rule);
    if (a) require_floating(name, *a);
    return a;
  }

  void take_gates() {
    linear_problem& p = call_.posed;
    const std::int64_t heads = given_.kv_heads, batch = p.dims.batch, length = p.dims.queries;
    if (const auto a = gate("decay", given_.rule->fades, true)) {
      const bool per_head = a->sizes.size() == 3 && a->sizes[2] == heads;
      require_sizes("decay", *a, {batch, length, heads * (per_head ? 1 : p.dims.width)});
      p.decay = unpacked("decay", *a, heads);
    }
    if (const auto a = gate("beta", given_.rule->looks_up, true)) {
      const bool shared = a->sizes.size() == 3 && a->sizes[2] == 1;
      require_sizes("beta", *a, {batch, length, shared ? 1 : heads});
      p.rate = tensor(*a->element, place(layout::bhld, {batch, heads, length, 1}), 0);
      for_each_index({batch, heads, length, 1}, [&](const index4& i) {
        const std::int64_t place =
            shared ? i[0] * length + i[2] : (i[0] * length + i[2]) * heads + i[1];
        p.rate->set(i, a->values[static_cast<std::size_t>(place)]);
      });
    }
    if (const auto a = gate("erase_gate", given_.rule->looks_up, false)) {
      require_sizes("erase_gate", *a, {batch, length, heads * p.dims.width});
      p.erase = unpacked("erase_gate", *a, heads);
    }
  }

  std::vector<std::int64_t> state_sizes() const {
    const index4 due = call_.posed.state_sizes();
    return {due.begin(), due.end()};
  }

  void take_state() {
    const auto a = found_.take("past_state");
    if (!a) return;
    require_floating("past_state", *a);
    require_sizes("past_state", *a, state_sizes());
    tensor& state =
        call_.posed.state.emplace(*a->element, place(layout::bhld, call_.posed.state_sizes()), 0);
    std::size_t n = 0;
    for_each_index(state.sizes(), [&](const index4& i) { state.set(i, a->values[n++]); });
  }

  void take_answers() {
    const shape& d = call_.posed.dims;
    call_.output = found_.take("output");
    if (call_.output) {
      require_floating("output", *call_.output);
      require_sizes("output", *call_.output, {d.batch, d.queries, d.query_heads * d.value_width});
    }
    call_.present_state = found_.take("present_state");
    if (!call_.present_state) return;
    require_floating("present_state", *call_.present_state);
    require_sizes("present_state", *call_.present_state, state_sizes());
  }

  const linear_attributes& given_;
  const call_tensors& found_;
  const std::string& where_;
  linear_call call_;
};

}  // namespace

bool is_linear_attention(const onnx_model& model) {
  return model.nodes.size() == 1 && model.nodes.front().op_type == "LinearAttention" &&
         model.nodes.front().domain.empty();
}

std::string why_linear_not_judged(const onnx_model& model) {
  const onnx_node& node = model.nodes.front();
  if (model.opset < first_opset || model.opset > last_opset)
    return fmt::format("LinearAttention in opset {}", model.opset);
  if (node.inputs.size() > std::size(input_names) || node.outputs.size() > std::size(output_names))
    return fmt::format("{} inputs and {} outputs", node.inputs.size(), node.outputs.size());
  for (const std::string& name : node.inputs)
    if (std::find(model.initializers.begin(), model.initializers.end(), name) !=
        model.initializers.end())
      return "an input that the model holds itself";
  linear_attributes ignored;
  return why_not_read(ignored, node);
}

linear_call read_linear_call(const onnx_model& model, const onnx_data_set& set,
                             const std::string& where) {
  linear_attributes given;
  why_not_read(given, model.nodes.front());
  const call_tensors found(model, set, {input_names, output_names}, where);
  return linear_reader(given, found, where).read();
}

}  // namespace attest
