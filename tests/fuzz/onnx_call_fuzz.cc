// Any bytes that read as a model of one node FlexAttention or LinearAttention give a call of it
// and, for the graphs that it holds, a tensor of what was asked; or they are refused with
// input_error, or named as not taken. The tensors of the call are made to the sizes and types that
// the model says.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "properties/onnx/flex_call.h"
#include "properties/onnx/graph/evaluate_graph.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/linear_call.h"
#include "reference/contract/presets.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

void require(bool truth) {
  if (!truth) std::abort();
}

// TensorProto.DataType of what is not floating.
constexpr int boolean_type = 9, integer_type = 7;

array made(const onnx_value& v) {
  constexpr std::int64_t most_size = 4;
  constexpr std::size_t most_rank = 5;
  array a{&f32, {}, {}, element_kind::floating};
  for (const format* f : {&f16, &f64, &bf16})
    if (onnx_data_type({f, {}, {}, element_kind::floating}) == v.data_type) a.element = f;
  if (v.data_type == boolean_type) a = {nullptr, {}, {}, element_kind::boolean};
  if (v.data_type == integer_type) a = {nullptr, {}, {}, element_kind::integer};
  std::size_t count = 1;
  for (std::size_t n = 0; n < std::min(v.sizes.size(), most_rank); ++n) {
    a.sizes.push_back(std::clamp<std::int64_t>(v.sizes[n], 0, most_size));
    count *= static_cast<std::size_t>(a.sizes.back());
  }
  for (std::size_t n = 0; n < count; ++n) {
    const double x = static_cast<double>(n % 5) - 1;
    a.values.push_back(a.kind == element_kind::boolean ? static_cast<double>(n % 2) : x);
  }
  return a;
}

onnx_data_set made(const onnx_model& model) {
  onnx_data_set set{"fuzz", {}, {}};
  for (const onnx_value& v : model.inputs)
    if (std::find(model.initializers.begin(), model.initializers.end(), v.name) ==
        model.initializers.end())
      set.inputs.push_back({v.name, made(v)});
  for (const onnx_value& v : model.outputs) set.outputs.push_back({v.name, made(v)});
  return set;
}

void look_at(const ranged_tensor& t) {
  require(static_cast<std::size_t>(count_of(t.sizes)) == t.values.size());
  for (const ranged& x : t.values)
    for (const interval* each : {&x.exact, &x.held})
      require(mpfr_lessequal_p(each->lower(), each->upper()) != 0);
}

void evaluate(const flex_call& call, const std::shared_ptr<const onnx_graph>& modifier) {
  if (modifier == nullptr) return;
  const index4 sizes = call.plain.dims.score_sizes();
  ranged_tensor scores{element_kind::floating, call.softmax, {sizes.begin(), sizes.end()}, {}};
  for_each_index(sizes, [&](const index4& i) {
    const double x = static_cast<double>(i[3] - i[2]) / 4;
    scores.values.push_back({interval(x), interval::between(x - 0x1p-20, x + 0x1p-20)});
  });
  const graph_arithmetic numbers(find_contract("float32"));
  try {
    look_at(evaluate_graph(*modifier, scores, call.outer, numbers, "fuzz"));
  } catch (const not_taken&) {
  }
}

void try_flex(const onnx_model& model) {
  if (!why_flex_not_judged(model).empty()) return;
  const auto call = unless_refused([&] { return read_flex_call(model, made(model), "fuzz"); });
  if (!call) return;
  for (const auto& modifier : {call->score_mod, call->prob_mod})
    unless_refused([&] {
      evaluate(*call, modifier);
      return true;
    });
}

void try_linear(const onnx_model& model) {
  if (!why_linear_not_judged(model).empty()) return;
  const auto call = unless_refused([&] { return read_linear_call(model, made(model), "fuzz"); });
  if (!call) return;
  require(call->posed.q.sizes() == call->posed.dims.q_sizes());
  require(call->posed.v.sizes() == call->posed.dims.v_sizes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = unless_refused([&] { return read_onnx_model(bytes, "fuzz"); });
  if (!model) return 0;
  if (is_flex_attention(*model)) try_flex(*model);
  if (is_linear_attention(*model)) try_linear(*model);
  return 0;
}
