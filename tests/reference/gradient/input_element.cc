#include "tests/reference/gradient/input_element.h"

#include "reference/random.h"

namespace attest {
namespace {

using input = input_element::input;

void add_all(std::vector<input_element>& all, input of, std::size_t n, const index4& sizes) {
  for_each_index(sizes, [&](const index4& at) { all.push_back({of, n, at}); });
}

// The nearest multiple of 2^-10.
double coarse(double x) { return std::isfinite(x) ? std::nearbyint(x * 1024) / 1024 : x; }

tensor coarse(const tensor& t) {
  tensor rounded(f64, t.where(), 0);
  for_each_index(t.sizes(), [&](const index4& i) { rounded.set(i, coarse(t.at(i))); });
  return rounded;
}

tensor drawn_halves(const index4& sizes, std::uint64_t seed, std::uint64_t stream) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4& i) {
    t.set(i, static_cast<double>(random_below(seed, stream, n++, 17)) / 2 - 4);
  });
  return t;
}

void shift(tensor& t, const index4& at, double step) { t.set(at, t.at(at) + step); }

}  // namespace

std::vector<input_element> inputs_of(const problem& p) {
  std::vector<input_element> all;
  add_all(all, input::q, 0, p.dims.q_sizes());
  add_all(all, input::k, 0, p.dims.k_sizes());
  add_all(all, input::v, 0, p.dims.v_sizes());
  if (p.bias)
    for_each_index(own_sizes(*p.bias), [&](const index4& at) {
      if (std::isfinite(p.bias->at(at))) all.push_back({input::bias, 0, at});
    });
  if (has_learnt_parameters(p.rules.scored_by))
    for (std::size_t n = 0; n < p.parameters.size(); ++n)
      add_all(all, input::parameter, n, p.parameters[n].sizes());
  for (std::size_t n = 0; n < p.sink.size(); ++n) all.push_back({input::sink, n, {}});
  for (std::size_t n = 0; n < p.slopes.size(); ++n) all.push_back({input::slope, n, {}});
  if (p.scale) all.push_back({input::scale, 0, {}});
  return all;
}

std::string_view name_of(input x) {
  static constexpr std::string_view names[] = {"q",         "k",    "v",     "bias",
                                               "parameter", "sink", "slope", "scale"};
  return names[static_cast<std::size_t>(x)];
}

std::string to_text(const input_element& x) {
  std::string text = std::string(name_of(x.of)) + " " + std::to_string(x.n) + " [ ";
  for (const std::int64_t i : x.at) text += std::to_string(i) + " ";
  return text + "]";
}

void shift(problem& p, const input_element& x, double step) {
  switch (x.of) {
    case input::q:
      return shift(p.q, x.at, step);
    case input::k:
      return shift(p.k, x.at, step);
    case input::v:
      return shift(p.v, x.at, step);
    case input::bias:
      return shift(*p.bias, x.at, step);
    case input::parameter:
      return shift(p.parameters[x.n], x.at, step);
    case input::sink:
      p.sink[x.n] += step;
      return;
    case input::slope:
      p.slopes[x.n] += step;
      return;
    case input::scale:
      *p.scale += step;
  }
}

problem with_coarse_numbers(const problem& p) {
  problem rounded = p;
  for (tensor* t : {&rounded.q, &rounded.k, &rounded.v}) *t = coarse(*t);
  if (rounded.bias) rounded.bias = coarse(*rounded.bias);
  for (tensor& t : rounded.parameters) t = coarse(t);
  for (double& x : rounded.sink) x = coarse(x);
  for (double& x : rounded.slopes) x = coarse(x);
  for (double* x : {&rounded.alpha, &rounded.dropout_scale, &rounded.soft_cap}) *x = coarse(*x);
  if (rounded.scale) rounded.scale = coarse(*rounded.scale);
  return rounded;
}

cotangents drawn_cotangents(const problem& p, std::uint64_t seed) {
  cotangents given{drawn_halves(p.dims.o_sizes(), seed, 2000), {}};
  if (p.rules.is_softmax()) given.lse = drawn_halves(p.dims.lse_sizes(), seed, 2001);
  return given;
}

}  // namespace attest
