#include "derivation/bounds/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "derivation/bounds/roundings.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double fewest_positions = 16;   // of a chunk between whose stages bits are lost
constexpr double stores_of_a_chunk = 4;   // products, what is new, keys as they fade, the state
constexpr double roundings_of_scale = 3;  // root, reciprocal and product; or a division

template <class Of>
tensor with_each(const tensor& t, Of of) {
  tensor result(f64, place(layout::bhld, t.sizes()), 0);
  for_each_index(t.sizes(), [&](const index4& i) { result.set(i, of(t.at(i))); });
  return result;
}

double size_of(double x) { return std::fabs(x); }

std::optional<tensor> sizes_of(const std::optional<tensor>& t) {
  return t ? std::optional(with_each(*t, size_of)) : std::nullopt;
}

// The problem whose answer is the sum of the sizes of the terms of p's: what is looked up is
// subtracted, so it is looked up with the opposite sign. Features other than the identity are not
// negative.
linear_problem majorant(const linear_problem& p) {
  linear_problem m = p;
  if (p.map == feature_map::identity) m.q = with_each(p.q, size_of), m.k = with_each(p.k, size_of);
  m.v = with_each(p.v, size_of);
  m.rate = sizes_of(p.rate);
  m.state = sizes_of(p.state);
  m.erase = p.erase ? with_each(*p.erase, [](double x) { return -std::fabs(x); })
                    : with_each(p.k, [](double) { return -1.0; });
  m.scale = std::fabs(p.scale_or_usual());
  m.normalised = false;
  return m;
}

// How far an error of 1 in every element of the state, made anywhere, may have grown.
linear_problem spread_of_errors(const linear_problem& p) {
  linear_problem m = majorant(p);
  m.v = with_each(p.v, [](double) { return 0.0; });
  m.state = tensor(f64, place(layout::bhld, p.state_sizes()), 0);
  for_each_index(p.state_sizes(), [&](const index4& i) { m.state->set(i, 1); });
  if (p.decay) m.decay = with_each(*p.decay, [](double g) { return std::max(g, 0.0); });
  return m;
}

// The sum of the weights of each output: that of values of 1.
linear_problem weights_of(const linear_problem& p) {
  linear_problem w = p;
  w.dims.value_width = 1;
  w.v = tensor(f64, place(layout::bhld, w.dims.v_sizes()), 0);
  for_each_index(w.dims.v_sizes(), [&](const index4& i) { w.v.set(i, 1); });
  w.normalised = false;
  w.scale = 1;
  return w;
}

// What may happen to a term on its way from position 0 to position l.
class path {
 public:
  path(const contract& c, const linear_problem& p)
      : unit_(std::max({unit_of(c.score_sum), unit_of(c.output_sum), unit_of(c.exponent),
                        unit_of(c.weight_sum)})),
        stored_(unit_of(c.weight_storage)),
        kept_(unit_of(c.partial_storage)),
        converted_(growth(c.q_conversion.times, unit_of(c.q_conversion.to)) +
                   growth(c.k_conversion.times, unit_of(c.k_conversion.to)) +
                   growth(c.v_conversion.times, unit_of(c.v_conversion.to))),
        width_(static_cast<double>(p.dims.width)),
        exponentials_(2 * std::max(c.exp_ulps, c.rescale_ulps) + argument_roundings(c) + 2),
        fades_(p.decay.has_value()),
        looks_up_(p.rate.has_value()),
        features_(p.map == feature_map::identity ? 0 : exponentials_ + 1) {}

  // Of the sum of the sizes of the terms. sum_of_logs: of |g| up to the position, the largest of
  // each.
  double error(double l, double sum_of_logs) const {
    const double chunks = l / fewest_positions + 2;
    const double rounded = growth(roundings(l), unit_);
    const double stored =
        growth(stores_of_a_chunk * chunks, stored_) + growth(l + 2, kept_) + (l + 2) * converted_;
    const double exponent = fades_ ? unit_ * (l + 2) * sum_of_logs : 0;
    if (!(exponent < 1)) return infinity;
    return (1 + rounded) * (1 + stored) * (1 + exponent + exponent * exponent) - 1;
  }

  double roundings(double l) const {
    const double fade = fades_ ? exponentials_ + 1 : 0;
    const double look_up = looks_up_ ? width_ + 4 + 2 * features_ : 0;
    return (l + 1) * (fade + look_up + 3) + width_ + l + 2 * features_ + 4 + roundings_of_scale;
  }

 private:
  double unit_, stored_, kept_, converted_, width_, exponentials_;
  bool fades_, looks_up_;
  double features_;
};

// sum over positions up to l of the largest |g|, of every KV head: [B, Hkv, L].
std::vector<double> sums_of_logs(const linear_problem& p) {
  std::vector<double> sums;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
      double sum = 0;
      for (std::int64_t l = 0; l < p.dims.queries; ++l) {
        double largest = 0;
        for (std::int64_t t = 0; p.decay && t < p.decay->sizes()[3]; ++t)
          largest = std::max(largest, std::fabs(p.decay->at(b, g, l, t)));
        sums.push_back(sum += largest);
      }
    }
  return sums;
}

// What rounding x, off by error, to the output's format adds.
double with_store(const contract& c, double x, double error) {
  const stage output{c.output, c.output_mode, c.output_subnormals};
  return error + unit_of(output) * (std::fabs(x) + error) + underflow_of(output);
}

class bound_of_problem {
 public:
  bound_of_problem(const contract& c, const linear_problem& p,
                   const linear_answer<enclosure>& exact)
      : contract_(c),
        problem_(p),
        exact_(exact),
        path_(c, p),
        sizes_(linear_attention<double>(majorant(p))),
        spread_(linear_attention<double>(spread_of_errors(p))),
        logs_(sums_of_logs(p)) {
    if (!p.normalised) return;
    const linear_problem w = weights_of(p);
    weights_ = exact_linear_attention(w).output;
    weight_sizes_ = linear_attention<double>(majorant(w)).output;
  }

  linear_bound all() const {
    linear_bound b;
    b.output_size = sizes_.output;
    b.state_size = sizes_.state;
    const shape& s = problem_.dims;
    std::size_t n = 0;
    for_each_index({s.batch, s.query_heads, s.queries, s.value_width},
                   [&](const index4& i) { b.output.push_back(output(i, n++)); });
    n = 0;
    for_each_index(problem_.state_sizes(),
                   [&](const index4& i) { b.state.push_back(state(i, n++)); });
    return b;
  }

 private:
  double logs_at(std::int64_t b, std::int64_t g, std::int64_t l) const {
    return logs_[static_cast<std::size_t>((b * problem_.dims.kv_heads + g) * problem_.dims.queries +
                                          l)];
  }

  // Products and sums that underflow, each carried along.
  double underflows(double l, double spread) const {
    return path_.roundings(l) * (l + 1) * underflow_of(contract_.output_sum) * spread;
  }

  double output(const index4& i, std::size_t n) const {
    const auto l = static_cast<double>(i[2]);
    const double share = path_.error(l, logs_at(i[0], problem_.kv_head(i[1]), i[2]));
    const double c = std::fabs(problem_.scale_or_usual());
    double error = share * sizes_.output[n] + underflows(l, spread_.output[n] + c + 1);
    if (problem_.normalised) error = quotient_error(n, error / c, share);
    return raise * with_store(contract_, exact_.output[n].high, error);
  }

  // N / W with errors in both.
  double quotient_error(std::size_t n, double numerator, double share) const {
    const std::size_t row = n / static_cast<std::size_t>(problem_.dims.value_width);
    const double weight = std::fabs(weights_[row].high) - weights_[row].radius;
    const double error =
        share * weight_sizes_[row] + underflow_of(contract_.weight_sum) * path_.roundings(1);
    if (!(weight > error)) return infinity;
    const double o = std::fabs(exact_.output[n].high);
    const double moved = (numerator + o * error) / (weight - error);
    return moved + 2 * contract_.division_ulps * unit_of(contract_.output_sum) * (o + moved);
  }

  double state(const index4& i, std::size_t n) const {
    const std::int64_t last = problem_.dims.queries - 1;
    if (last < 0) return 0;
    const auto l = static_cast<double>(last);
    const double error = path_.error(l, logs_at(i[0], i[1], last)) * sizes_.state[n] +
                         underflows(l, spread_.state[n] + 1);
    return raise * with_store(contract_, exact_.state[n].high, error);
  }

  const contract& contract_;
  const linear_problem& problem_;
  const linear_answer<enclosure>& exact_;
  path path_;
  linear_answer<double> sizes_, spread_;
  std::vector<double> logs_;
  std::vector<enclosure> weights_;  // of a normalised problem, [B, Hq, L]
  std::vector<double> weight_sizes_;
};

}  // namespace

linear_bound bound_of(const contract& c, const linear_problem& p,
                      const linear_answer<enclosure>& exact) {
  return bound_of_problem(c, p, exact).all();
}

}  // namespace attest
