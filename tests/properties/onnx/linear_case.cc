#include "tests/properties/onnx/linear_case.h"

#include <cmath>

#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

constexpr std::int64_t query_heads = 4, kv_heads = 2, length = 5, width = 3, value_width = 2;
constexpr std::uint64_t seed = 20261203;

onnx_tensor drawn(const linear_case& c, std::uint64_t stream, std::vector<std::int64_t> sizes,
                  double (*of)(double)) {
  std::uint64_t count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<std::uint64_t>(size);
  std::vector<double> values;
  for (std::uint64_t n = 0; n < count; ++n)
    values.push_back(round_to(*c.type, {}, of(random_normal(seed, stream, n))));
  return {"", {c.type, std::move(sizes), std::move(values), element_kind::floating}};
}

double halved(double x) { return x / 2; }
double negative(double x) { return -std::fabs(x) / 4; }  // a decay is a logarithm
double share(double x) { return 1 / (1 + std::exp(-x)); }

// Element (row, n) of a tensor whose last size is given.
double at(const onnx_tensor& t, std::int64_t last, std::int64_t row, std::int64_t n) {
  return t.held.values[static_cast<std::size_t>(row * last + n)];
}

// One KV head: fades, looks up, writes.
class state_of_head {
 public:
  state_of_head(const linear_case& c, const std::vector<onnx_tensor>& in, std::int64_t g)
      : case_(c), in_(in), g_(g) {
    for (std::int64_t n = 0; n < width * value_width; ++n)
      values_[n] = c.mistake == linear_mistake::no_past ? 0 : at(in[3], width * value_width, g, n);
  }

  void absorb(std::int64_t l) {
    for (std::int64_t t = 0; t < width; ++t)
      for (std::int64_t d = 0; d < value_width; ++d) values_[t * value_width + d] *= fading(l, t);
    for (std::int64_t d = 0; d < value_width; ++d) {
      double fresh = at(in_[2], kv_heads * value_width, l, g_ * value_width + d);
      if (case_.looks_up()) fresh = rate(l) * (fresh - looked_up(l, d));
      for (std::int64_t t = 0; t < width; ++t) values_[t * value_width + d] += key(l, t) * fresh;
    }
  }

  double output(std::int64_t h, std::int64_t l, std::int64_t d) const {
    double sum = 0;
    for (std::int64_t t = 0; t < width; ++t)
      sum += at(in_[0], query_heads * width, l, h * width + t) * values_[t * value_width + d];
    return case_.mistake == linear_mistake::no_scale ? sum : sum / std::sqrt(double(width));
  }

  double value(std::int64_t n) const { return values_[n]; }

 private:
  double key(std::int64_t l, std::int64_t t) const {
    return at(in_[1], kv_heads * width, l, g_ * width + t);
  }
  double fading(std::int64_t l, std::int64_t t) const {
    const bool fades = case_.fades() && case_.mistake != linear_mistake::no_decay;
    return fades ? std::exp(at(in_[4], kv_heads * width, l, g_ * width + t)) : 1;
  }
  double rate(std::int64_t l) const {
    return case_.mistake == linear_mistake::no_beta ? 1 : at(in_[5], kv_heads, l, g_);
  }
  double looked_up(std::int64_t l, std::int64_t d) const {
    double sum = 0;
    for (std::int64_t t = 0; t < width; ++t) sum += key(l, t) * values_[t * value_width + d];
    return sum;
  }

  const linear_case& case_;
  const std::vector<onnx_tensor>& in_;
  std::int64_t g_;
  double values_[width * value_width];
};

// All of them: those that the rule does not ask for, too.
std::vector<onnx_tensor> all_inputs(const linear_case& c) {
  return {drawn(c, 0, {1, length, query_heads * width}, halved),
          drawn(c, 1, {1, length, kv_heads * width}, halved),
          drawn(c, 2, {1, length, kv_heads * value_width}, halved),
          drawn(c, 3, {1, kv_heads, width, value_width}, halved),
          drawn(c, 4, {1, length, kv_heads * width}, negative),
          drawn(c, 5, {1, length, kv_heads}, share)};
}

}  // namespace

onnx_model linear_case::model() const {
  onnx_model m;
  m.opset = 27;
  m.nodes.push_back(
      {"LinearAttention",
       "",
       {"query", "key", "value", "past_state", fades() ? "decay" : "", looks_up() ? "beta" : ""},
       {"output", "present_state"},
       {{"q_num_heads", query_heads}, {"kv_num_heads", kv_heads}, {"update_rule", rule}}});
  for (const std::string& name : m.nodes[0].inputs)
    if (!name.empty()) m.inputs.push_back({name, 0, {}});
  for (const std::string& name : m.nodes[0].outputs) m.outputs.push_back({name, 0, {}});
  return m;
}

std::vector<onnx_tensor> linear_case::inputs() const {
  std::vector<onnx_tensor> given = all_inputs(*this);
  if (!looks_up()) given.erase(given.begin() + 5);
  if (!fades()) given.erase(given.begin() + 4);
  return given;
}

std::vector<onnx_tensor> linear_case::outputs() const {
  const std::vector<onnx_tensor> in = all_inputs(*this);
  std::vector<double> o(static_cast<std::size_t>(length * query_heads * value_width)), states;
  for (std::int64_t g = 0; g < kv_heads; ++g) {
    state_of_head state(*this, in, g);
    for (std::int64_t l = 0; l < length; ++l) {
      if (mistake != linear_mistake::previous_step) state.absorb(l);
      for (std::int64_t h = 0; h < query_heads; ++h) {
        const bool tiled = mistake == linear_mistake::tiled_heads;
        if (g != (tiled ? h % kv_heads : h / (query_heads / kv_heads))) continue;
        for (std::int64_t d = 0; d < value_width; ++d)
          o[static_cast<std::size_t>((l * query_heads + h) * value_width + d)] =
              round_to(*type, {}, state.output(h, l, d));
      }
      if (mistake == linear_mistake::previous_step) state.absorb(l);
    }
    for (std::int64_t n = 0; n < width * value_width; ++n)
      states.push_back(round_to(*type, {}, state.value(n)));
  }
  return {{"", {type, {1, length, query_heads * value_width}, o, element_kind::floating}},
          {"", {type, {1, kv_heads, width, value_width}, states, element_kind::floating}}};
}

}  // namespace attest
