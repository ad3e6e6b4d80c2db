#include "properties/onnx/attention_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/call_tensors.h"

namespace attest {
namespace {

constexpr std::int64_t first_opset = 23;
constexpr std::int64_t last_opset = 28;  // the highest that was defined when this was written

constexpr std::string_view input_names[] = {
    "Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"};
constexpr std::string_view output_names[] = {"Y", "present_key", "present_value",
                                             "qk_matmul_output"};

using attribute_value = decltype(onnx_attribute::value);
using set_attribute = bool (*)(attention_attributes&, const attribute_value&);

// Whether the value is a number that `use` takes.
template <class Number, class Use>
bool with(const attribute_value& value, Use use) {
  const auto* number = std::get_if<Number>(&value);
  return number != nullptr && use(*number);
}

bool set_flag(attention_attributes& a, const attribute_value& value) {
  return with<std::int64_t>(value, [&](std::int64_t n) {
    a.is_causal = n != 0;
    return n == 0 || n == 1;
  });
}

template <std::int64_t attention_attributes::*Member, std::int64_t Low, std::int64_t High>
bool set_integer(attention_attributes& a, const attribute_value& value) {
  return with<std::int64_t>(value, [&](std::int64_t n) {
    a.*Member = n;
    return Low <= n && n <= High;
  });
}

template <std::int64_t window::*Side>
bool set_window(attention_attributes& a, const attribute_value& value) {
  return with<std::int64_t>(value, [&](std::int64_t n) {
    a.sliding.*Side = n;
    return n >= -1;
  });
}

// The operator takes its square root.
bool set_scale(attention_attributes& a, const attribute_value& value) {
  return with<double>(value, [&](double x) {
    a.scale = x;
    return x >= 0 && std::isfinite(x);
  });
}

bool set_softcap(attention_attributes& a, const attribute_value& value) {
  return with<double>(value, [&](double x) {
    a.softcap = x;
    return x >= 0 && std::isfinite(x);
  });
}

bool set_precision(attention_attributes& a, const attribute_value& value) {
  return with<std::int64_t>(value, [&](std::int64_t n) {
    for (const format* f : {&f32, &f16, &f64, &bf16})
      if (onnx_data_type({f, {}, {}}) == n) a.softmax_precision = f;
    return n == 0 || a.softmax_precision != nullptr;
  });
}

struct known_attribute {
  std::string_view name;
  std::int64_t since;  // opset
  set_attribute set;
};

constexpr std::int64_t most_heads = std::int64_t{1} << 31;
constexpr known_attribute known_attributes[] = {
    {"is_causal", 23, set_flag},
    {"kv_num_heads", 23, set_integer<&attention_attributes::kv_num_heads, 1, most_heads>},
    {"q_num_heads", 23, set_integer<&attention_attributes::q_num_heads, 1, most_heads>},
    {"qk_matmul_output_mode", 23, set_integer<&attention_attributes::qk_matmul_output_mode, 0, 3>},
    {"scale", 23, set_scale},
    {"softcap", 23, set_softcap},
    {"softmax_precision", 23, set_precision},
    {"left_window_size", 25, set_window<&window::left>},
    {"right_window_size", 25, set_window<&window::right>},
};

const known_attribute* find_attribute(std::string_view name) {
  for (const known_attribute& known : known_attributes)
    if (known.name == name) return &known;
  return nullptr;
}

std::string why_not_set(attention_attributes& a, const onnx_attribute& given, std::int64_t opset) {
  const known_attribute* known = find_attribute(given.name);
  if (known == nullptr) return "attribute " + shown(given.name);
  if (opset < known->since) return fmt::format("attribute {} in opset {}", given.name, opset);
  return known->set(a, given.value) ? "" : "this value of the attribute " + given.name;
}

std::string why_not_read(attention_attributes& a, const onnx_node& node, std::int64_t opset) {
  for (const onnx_attribute& given : node.attributes)
    if (std::string why = why_not_set(a, given, opset); !why.empty()) return why;
  return "";
}

std::string operator_text(const onnx_node& node) {
  return shown(node.op_type) + (node.domain.empty() ? "" : " (" + shown(node.domain) + ")");
}

// Takes the tensors of a call and checks each against what it must fit.
class call_reader {
 public:
  call_reader(attention_call& call, const call_tensors& found, const std::string& where)
      : c_(call), found_(found), where_(where) {}

  void read() {
    take_operands();
    set_dims();
    take_past();
    take_mask();
    take_lengths();
    take_answers();
  }

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& given,
                         const std::string& allowed) const {
    refuse(where_, fmt::format("{} {}", name, given), allowed);
  }

  std::optional<array> take(std::string_view name) const { return found_.take(name); }

  array require(std::string_view name) const {
    if (auto a = take(name)) return *std::move(a);
    fail(name, "is missing", "a tensor in a file");
  }

  void require_type(std::string_view name, const array& a) const {
    if (a.kind != element_kind::floating || !(*a.element == *c_.q.element))
      fail(name, "has another type than Q", "the same floating type for both");
  }

  void require_sizes(std::string_view name, const array& a,
                     const std::vector<std::int64_t>& due) const {
    if (a.sizes != due)
      fail(name, "has sizes [" + sizes_text(a.sizes) + "]", "[" + sizes_text(due) + "]");
  }

  void take_operands() {
    c_.q = require("Q");
    c_.k = require("K");
    c_.v = require("V");
    if (c_.q.kind != element_kind::floating)
      fail("Q", "holds no floating numbers", "a floating type");
    const std::size_t rank = c_.q.sizes.size();
    if (rank != 3 && rank != 4) fail("Q", fmt::format("has rank {}", rank), "3 or 4");
    for (const auto& [name, a] : {std::pair{"K", &c_.k}, std::pair{"V", &c_.v}}) {
      require_type(name, *a);
      if (a->sizes.size() != rank) fail(name, "has another rank than Q", "the same");
    }
  }

  // The sizes [B, H, L, D] of an operand.
  index4 full_sizes(std::string_view name, const array& a, std::int64_t heads) const {
    if (!c_.is_packed()) {
      if (heads != 0 && heads != a.sizes[1])
        fail(name, fmt::format("has {} heads, the attribute says {}", a.sizes[1], heads),
             "the same");
      return {a.sizes[0], a.sizes[1], a.sizes[2], a.sizes[3]};
    }
    if (heads == 0) fail(name, "has rank 3", "q_num_heads and kv_num_heads with it");
    if (a.sizes[2] % heads != 0)
      fail(name, fmt::format("has width {} for {} heads", a.sizes[2], heads), "a multiple");
    return {a.sizes[0], heads, a.sizes[1], a.sizes[2] / heads};
  }

  void set_dims() {
    const index4 q = full_sizes("Q", c_.q, c_.given.q_num_heads);
    const index4 k = full_sizes("K", c_.k, c_.given.kv_num_heads);
    const index4 v = full_sizes("V", c_.v, c_.given.kv_num_heads);
    if (k[0] != q[0] || k[3] != q[3]) fail("K", "does not fit Q", "the same batch and head size");
    if (v[0] != q[0] || v[1] != k[1] || v[2] != k[2])
      fail("V", "does not fit K", "the same batch, heads and length");
    if (k[1] == 0 || q[1] == 0 || q[1] % k[1] != 0)
      fail("Q", fmt::format("has {} heads and K {}", q[1], k[1]),
           "the first a multiple of the second");
    if (q[3] == 0 || v[3] == 0) fail("Q", "or V has heads of size 0", "1 or more");
    c_.dims = {q[0], q[1], k[1], q[2], k[2], q[3], v[3]};
  }

  void take_past() {
    c_.past_key = take("past_key");
    c_.past_value = take("past_value");
    if (c_.past_key.has_value() != c_.past_value.has_value())
      fail("past_key", "and past_value: one is missing", "both or none");
    if (!c_.past_key) return;
    require_type("past_key", *c_.past_key);
    require_type("past_value", *c_.past_value);
    if (c_.past_key->sizes.size() != 4) fail("past_key", "has not rank 4", "[B, H, L, D]");
    c_.past_keys = c_.past_key->sizes[2];
    const shape& d = c_.dims;
    require_sizes("past_key", *c_.past_key, {d.batch, d.kv_heads, c_.past_keys, d.width});
    require_sizes("past_value", *c_.past_value, {d.batch, d.kv_heads, c_.past_keys, d.value_width});
    c_.dims.keys += c_.past_keys;
  }

  void take_mask() {
    c_.attn_mask = take("attn_mask");
    if (!c_.attn_mask) return;
    const std::vector<std::int64_t>& sizes = c_.attn_mask->sizes;
    const index4 full = c_.dims.score_sizes();
    if (sizes.size() > 4) fail("attn_mask", fmt::format("has rank {}", sizes.size()), "up to 4");
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      const bool last = n + 1 == sizes.size();
      const std::int64_t due = full[4 - sizes.size() + n];
      if (sizes[n] != 1 && sizes[n] != due && !(last && sizes[n] < due))
        fail("attn_mask", "has sizes [" + sizes_text(sizes) + "]",
             "sizes that broadcast to [" + sizes_text({full.begin(), full.end()}) +
                 "], the last may be less");
    }
  }

  void take_lengths() {
    c_.nonpad_kv_seqlen = take("nonpad_kv_seqlen");
    if (!c_.nonpad_kv_seqlen) return;
    require_sizes("nonpad_kv_seqlen", *c_.nonpad_kv_seqlen, {c_.dims.batch});
    if (c_.nonpad_kv_seqlen->kind != element_kind::integer)
      fail("nonpad_kv_seqlen", "holds no integers", "int64");
    for (const double n : c_.nonpad_kv_seqlen->values)
      if (n < 0 || n > static_cast<double>(c_.dims.keys))
        fail("nonpad_kv_seqlen", fmt::format("holds {}", n), fmt::format("0 to {}", c_.dims.keys));
  }

  std::optional<array> take_answer(std::string_view name,
                                   const std::vector<std::int64_t>& due) const {
    auto a = take(name);
    if (!a) return a;
    require_type(name, *a);
    require_sizes(name, *a, due);
    return a;
  }

  void take_answers() {
    const shape& d = c_.dims;
    c_.y = take_answer("Y", c_.is_packed()
                                ? std::vector{d.batch, d.queries, d.query_heads * d.value_width}
                                : std::vector{d.batch, d.query_heads, d.queries, d.value_width});
    c_.present_key = take_answer("present_key", {d.batch, d.kv_heads, d.keys, d.width});
    c_.present_value = take_answer("present_value", {d.batch, d.kv_heads, d.keys, d.value_width});
    c_.qk_matmul_output =
        take_answer("qk_matmul_output", {d.batch, d.query_heads, d.queries, d.keys});
  }

  attention_call& c_;
  const call_tensors& found_;
  const std::string& where_;
};

}  // namespace

bool is_about_attention(const onnx_model& model) {
  constexpr std::array<std::string_view, 3> operators{"Attention", "LinearAttention",
                                                      "FlexAttention"};
  return std::any_of(model.nodes.begin(), model.nodes.end(), [&](const onnx_node& node) {
    return std::find(operators.begin(), operators.end(), node.op_type) != operators.end();
  });
}

std::string why_not_judged(const onnx_model& model) {
  if (model.nodes.size() != 1) return fmt::format("a graph of {} nodes", model.nodes.size());
  const onnx_node& node = model.nodes.front();
  if (node.op_type != "Attention" || !node.domain.empty()) return operator_text(node);
  if (model.opset < first_opset || model.opset > last_opset)
    return fmt::format("opset {}", model.opset);
  if (node.inputs.size() > std::size(input_names) || node.outputs.size() > std::size(output_names))
    return fmt::format("{} inputs and {} outputs", node.inputs.size(), node.outputs.size());
  if (node.outputs.empty() || node.outputs.front().empty()) return "no output Y";
  for (const std::string& name : node.inputs)
    if (std::find(model.initializers.begin(), model.initializers.end(), name) !=
        model.initializers.end())
      return "an input that the model holds itself";
  attention_attributes ignored;
  return why_not_read(ignored, node, model.opset);
}

attention_attributes attributes_of(const onnx_model& model) {
  attention_attributes given;
  why_not_read(given, model.nodes.front(), model.opset);
  return given;
}

attention_call read_attention_call(const onnx_model& model, const onnx_data_set& set,
                                   const std::string& where) {
  attention_call call;
  call.opset = model.opset;
  call.given = attributes_of(model);
  const call_tensors found(model, set, {input_names, output_names}, where);
  call_reader(call, found, where).read();
  return call;
}

}  // namespace attest
