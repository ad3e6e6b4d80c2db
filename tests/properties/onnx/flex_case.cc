#include "tests/properties/onnx/flex_case.h"

#include <cmath>
#include <limits>

#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

std::size_t place_in(const index4& sizes, const index4& i) {
  return static_cast<std::size_t>(((i[0] * sizes[1] + i[1]) * sizes[2] + i[2]) * sizes[3] + i[3]);
}

onnx_tensor tensor_of(const flex_case& c, std::uint64_t stream, const index4& sizes) {
  return {"",
          {c.type, {sizes.begin(), sizes.end()}, c.drawn(stream, sizes), element_kind::floating}};
}

}  // namespace

graph_pointer graph_of(std::vector<onnx_node> nodes, std::vector<onnx_constant> constants) {
  return std::make_shared<const onnx_graph>(
      onnx_graph{std::move(nodes), {{"x", 0, {}}}, {{"y", 0, {}}}, std::move(constants)});
}

onnx_node node(const char* op_type, std::vector<std::string> inputs, const char* output,
               std::vector<onnx_attribute> attributes) {
  return {op_type, "", std::move(inputs), {output}, std::move(attributes)};
}

onnx_constant number(const char* name, double value, const format& type) {
  return {{name, {&type, {}, {value}, element_kind::floating}}, ""};
}

onnx_constant integers(const char* name, std::vector<double> values) {
  const std::vector<std::int64_t> sizes{static_cast<std::int64_t>(values.size())};
  return {{name, {nullptr, sizes, std::move(values), element_kind::integer}}, ""};
}

onnx_constant integer_scalar(const char* name, double value) {
  return {{name, {nullptr, {}, {value}, element_kind::integer}}, ""};
}

graph_pointer added(double bias, const format& type) {
  return graph_of({node("Add", {"x", "c"}, "y")}, {number("c", bias, type)});
}

graph_pointer multiplied(double factor, const format& type) {
  return graph_of({node("Mul", {"x", "c"}, "y")}, {number("c", factor, type)});
}

namespace {

// Positions of queries [L, 1] and keys [1, S], and what follows from them.
graph_pointer with_positions(std::vector<onnx_node> nodes, std::vector<onnx_constant> constants) {
  std::vector<onnx_node> all{
      node("Shape", {"x"}, "sizes"),           node("Gather", {"sizes", "two"}, "L"),
      node("Gather", {"sizes", "three"}, "S"), node("Range", {"zero", "L", "one"}, "i"),
      node("Reshape", {"i", "column"}, "q"),   node("Range", {"zero", "S", "one"}, "j"),
      node("Reshape", {"j", "row"}, "k")};
  all.insert(all.end(), nodes.begin(), nodes.end());
  for (const auto& [name, value] : {std::pair{"zero", 0}, {"one", 1}, {"two", 2}, {"three", 3}})
    constants.push_back(integer_scalar(name, value));
  constants.push_back(integers("column", {-1, 1}));
  constants.push_back(integers("row", {1, -1}));
  return graph_of(all, constants);
}

}  // namespace

graph_pointer causal(const char* comparison, const format& type) {
  return with_positions(
      {node(comparison, {"q", "k"}, "kept"), node("Where", {"kept", "x", "masked"}, "y")},
      {number("masked", -std::numeric_limits<double>::infinity(), type)});
}

graph_pointer soft_capped(double cap, const format& type) {
  return graph_of(
      {node("Div", {"x", "cap"}, "d"), node("Tanh", {"d"}, "t"), node("Mul", {"t", "cap"}, "y")},
      {number("cap", cap, type)});
}

graph_pointer relative(const format& type) {
  return with_positions(
      {node("Sub", {"q", "k"}, "distance"),
       node("Cast", {"distance"}, "bias",
            {{"to", std::int64_t{onnx_data_type({&type, {}, {}, element_kind::floating})}}}),
       node("Add", {"x", "bias"}, "y")},
      {});
}

std::vector<double> flex_case::drawn(std::uint64_t stream, const index4& sizes) const {
  std::vector<double> values;
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4&) {
    values.push_back(round_to(*type, {}, random_normal(seed, stream, n++)));
  });
  return values;
}

onnx_model flex_case::model() const {
  onnx_node flex{"FlexAttention", "ai.onnx.preview", {"Q", "K", "V"}, {"Y"}, {}};
  if (scale) flex.attributes.push_back({"scale", *scale});
  if (softmax != nullptr)
    flex.attributes.push_back(
        {"softmax_precision",
         std::int64_t{onnx_data_type({softmax, {}, {}, element_kind::floating})}});
  if (score_mod) flex.attributes.push_back({"score_mod", score_mod});
  if (prob_mod) flex.attributes.push_back({"prob_mod", prob_mod});
  onnx_model m;
  m.opset = 26;
  m.nodes = {flex};
  for (const char* name : {"Q", "K", "V"}) m.inputs.push_back({name, 0, {}});
  m.outputs.push_back({"Y", 0, {}});
  return m;
}

std::vector<onnx_tensor> flex_case::inputs() const {
  return {tensor_of(*this, 0, dims.q_sizes()), tensor_of(*this, 1, dims.k_sizes()),
          tensor_of(*this, 2, dims.v_sizes())};
}

flex_call flex_case::call(const array& y) const {
  return read_flex_call(model(), {"", inputs(), {{"", y}}}, "case");
}

array plain_answer(const flex_case& c, const plain_rules& rules) {
  const shape& s = c.dims;
  const std::vector<double> q = c.drawn(0, s.q_sizes()), k = c.drawn(1, s.k_sizes()),
                            v = c.drawn(2, s.v_sizes());
  const auto kv_head = [&](std::int64_t h) { return h / (s.query_heads / s.kv_heads); };
  const double scale =
      rules.scale_factor * c.scale.value_or(1 / std::sqrt(static_cast<double>(s.width)));
  const index4 full = s.score_sizes();
  std::vector<double> p;
  for_each_index(full, [&](const index4& i) {
    double score = 0;
    for (std::int64_t t = 0; t < s.width; ++t)
      score += q[place_in(s.q_sizes(), {i[0], i[1], i[2], t})] *
               k[place_in(s.k_sizes(), {i[0], kv_head(i[1]), i[3], t})];
    score *= scale;
    p.push_back(rules.score ? rules.score(score, i) : score);
  });
  const std::vector<double> scores = p;
  for_each_index(full, [&](const index4& i) {
    double sum = 0;
    for (std::int64_t n = 0; n < (rules.over_queries ? s.queries : s.keys); ++n)
      sum += std::exp(scores[place_in(
          full, rules.over_queries ? index4{i[0], i[1], n, i[3]} : index4{i[0], i[1], i[2], n})]);
    double& x = p[place_in(full, i)];
    x = rules.drops && rules.drops(i) ? 0 : std::exp(x) / sum;
    if (rules.prob) x = rules.prob(x, i);
  });
  const index4 sizes = s.o_sizes();
  array y{c.type, {sizes.begin(), sizes.end()}, {}, element_kind::floating};
  for_each_index(sizes, [&](const index4& i) {
    double sum = 0;
    for (std::int64_t j = 0; j < s.keys; ++j)
      sum += p[place_in(full, {i[0], i[1], i[2], j})] *
             v[place_in(s.v_sizes(), {i[0], kv_head(i[1]), j, i[3]})];
    y.values.push_back(round_to(*c.type, {}, sum));
  });
  return y;
}

}  // namespace attest
