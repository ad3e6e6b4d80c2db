#include "tests/properties/onnx/small_case.h"

#include "reference/formats/rounding.h"

namespace attest {
namespace {

array filled(const format& f, std::vector<std::int64_t> sizes,
             const std::function<double(const index4&)>& value) {
  array a{&f, sizes, {}, element_kind::floating};
  index4 four{sizes[0], sizes[1], sizes[2], sizes.size() > 3 ? sizes[3] : 1};
  for_each_index(four, [&](const index4& i) { a.values.push_back(value(i)); });
  return a;
}

// An operand [B, H, L, 1], or [B, L, H] where it is packed.
array operand(const small_case& c, std::int64_t heads, std::int64_t length,
              const std::function<double(std::int64_t, std::int64_t, std::int64_t)>& value) {
  if (c.packed)
    return filled(*c.type, {c.batch, length, heads},
                  [&](const index4& i) { return value(i[0], i[2], i[1]); });
  return filled(*c.type, {c.batch, heads, length, 1},
                [&](const index4& i) { return value(i[0], i[1], i[2]); });
}

bool asks_scores(const small_case& c) {
  for (const onnx_attribute& a : c.attributes)
    if (a.name == "qk_matmul_output_mode") return true;
  return false;
}

}  // namespace

onnx_model small_case::model() const {
  onnx_model m;
  m.opset = opset;
  onnx_node node{"Attention", "", {"Q", "K", "V"}, {"Y"}, attributes};
  if (packed) {
    node.attributes.push_back(integer("q_num_heads", query_heads));
    node.attributes.push_back(integer("kv_num_heads", kv_heads));
  }
  node.inputs.emplace_back(attn_mask ? "attn_mask" : "");
  node.inputs.emplace_back(past > 0 ? "past_key" : "");
  node.inputs.emplace_back(past > 0 ? "past_value" : "");
  node.inputs.emplace_back(nonpad ? "nonpad_kv_seqlen" : "");
  if (past > 0 || asks_scores(*this)) {
    node.outputs.emplace_back(past > 0 ? "present_key" : "");
    node.outputs.emplace_back(past > 0 ? "present_value" : "");
  }
  if (asks_scores(*this)) node.outputs.emplace_back("qk_matmul_output");
  for (const std::string& name : node.inputs)
    if (!name.empty()) m.inputs.push_back({name, 0, {}});
  for (const std::string& name : node.outputs)
    if (!name.empty()) m.outputs.push_back({name, 0, {}});
  m.nodes.push_back(node);
  return m;
}

std::vector<onnx_tensor> small_case::inputs() const {
  const auto nothing = [](auto...) { return 0.0; };
  std::vector<onnx_tensor> tensors{
      {"", operand(*this, query_heads, queries, nothing)},
      {"", operand(*this, kv_heads, fresh, nothing)},
      {"", operand(*this, kv_heads, fresh, [&](std::int64_t b, std::int64_t g, std::int64_t j) {
         return value(b, g, past + j);
       })}};
  if (attn_mask) tensors.push_back({"", *attn_mask});
  if (past > 0) {
    const std::vector<std::int64_t> sizes{batch, kv_heads, past, 1};
    tensors.push_back({"", filled(*type, sizes, [](const index4&) { return 0.0; })});
    tensors.push_back(
        {"", filled(*type, sizes, [](const index4& i) { return value(i[0], i[1], i[2]); })});
  }
  if (nonpad) tensors.push_back({"", *nonpad});
  return tensors;
}

array small_case::output(
    const std::function<double(std::int64_t, std::int64_t, std::int64_t)>& answer) const {
  return operand(*this, query_heads, queries, answer);
}

attention_call small_case::call(const array& y, const std::optional<array>& qk) const {
  onnx_data_set set{"test_data_set_0", inputs(), {{"", y}}};
  if (past > 0) {
    const std::vector<std::int64_t> sizes{batch, kv_heads, keys(), 1};
    set.outputs.push_back({"", filled(*type, sizes, [](const index4&) { return 0.0; })});
    set.outputs.push_back(
        {"", filled(*type, sizes, [](const index4& i) { return value(i[0], i[1], i[2]); })});
  }
  if (qk) set.outputs.push_back({"", *qk});
  return read_attention_call(model(), set, "case");
}

double mean_of_kept(const small_case& c, std::int64_t b, std::int64_t g, std::int64_t i,
                    const kept_key& kept) {
  double sum = 0, count = 0;
  for (std::int64_t j = 0; j < c.keys(); ++j)
    if (kept(b, i, j)) {
      sum += small_case::value(b, g, j);
      ++count;
    }
  return count == 0 ? 0 : round_to(*c.type, {}, sum / count);
}

}  // namespace attest
