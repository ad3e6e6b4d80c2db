// A small test case of FlexAttention with operands drawn by a seed, the graphs that the standard's
// own cases have, and the answer computed plainly in double.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "properties/exchange/onnx/test_case.h"
#include "properties/onnx/flex_call.h"

namespace attest {

using graph_pointer = std::shared_ptr<const onnx_graph>;

// A graph from "x" to "y".
graph_pointer graph_of(std::vector<onnx_node> nodes, std::vector<onnx_constant> constants = {});
onnx_node node(const char* op_type, std::vector<std::string> inputs, const char* output,
               std::vector<onnx_attribute> attributes = {});
onnx_constant number(const char* name, double value, const format& type = f32);
onnx_constant integers(const char* name, std::vector<double> values);
onnx_constant integer_scalar(const char* name, double value);

// score_mod and prob_mod of the standard's cases.
graph_pointer added(double bias, const format& type = f32);
graph_pointer multiplied(double factor, const format& type = f32);
graph_pointer causal(const char* comparison = "GreaterOrEqual", const format& type = f32);
graph_pointer soft_capped(double cap, const format& type = f32);
graph_pointer relative(const format& type = f32);

struct flex_case {
  shape dims{2, 4, 4, 8, 6, 16, 16};
  const format* type = &f32;
  std::optional<double> scale = {};
  const format* softmax = nullptr;
  graph_pointer score_mod = {}, prob_mod = {};
  std::uint64_t seed = 20261201;

  std::vector<double> drawn(std::uint64_t stream, const index4& sizes) const;
  onnx_model model() const;
  std::vector<onnx_tensor> inputs() const;
  flex_call call(const array& y) const;
};

// What the plain evaluation does, and does wrong.
struct plain_rules {
  std::function<double(double, const index4&)> score = {}, prob = {};  // at b, h, i, j
  double scale_factor = 1;
  bool over_queries = false;                      // the softmax
  std::function<bool(const index4&)> drops = {};  // a key, after the softmax

  plain_rules with_scale(double factor) const {
    plain_rules r = *this;
    r.scale_factor = factor;
    return r;
  }
};

// Computes: Y in double, rounded once to the type.
array plain_answer(const flex_case&, const plain_rules& = {});

}  // namespace attest
