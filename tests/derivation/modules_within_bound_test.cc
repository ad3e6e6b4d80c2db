// Modules of attention, evaluated head by head and all heads at once, in numbers of each size, stay
// within the bound that is derived from their contract; wrong ones do not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "derivation/bounds/modules.h"
#include "reference/contract/presets.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"
#include "tests/derivation/rounded_number.h"

namespace attest {
namespace {

using half = rounded_number<f16>;

double value_of(double x) { return x; }
double value_of(float x) { return static_cast<double>(x); }
double value_of(const half& x) { return x.value(); }

tensor drawn(std::uint64_t seed, std::uint64_t stream, const index4& sizes, double size,
             const format& f) {
  tensor t(f, place(layout::bhld, sizes), 0);
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4& i) {
    t.set(i, round_to(f, {}, size * random_normal(seed, stream, n++)));
  });
  return t;
}

// Of few heads and positions; with biases and W_o, or without.
attention_module module_of(std::uint64_t seed, const format& f) {
  const bool grouped = seed % 3 == 1;
  const std::int64_t batch = 2, length = 5, width = 6, heads = grouped ? 4 : 2, kv_heads = 2;
  const double size = seed % 2 == 0 ? 0.4 : 1;
  attention_module m;
  m.x = drawn(seed, 1, {batch, 1, length, width}, 1, f);
  m.w_q = drawn(seed, 2, {1, heads, width, 3}, size, f);
  m.w_k = drawn(seed, 3, {1, kv_heads, width, 3}, size, f);
  m.w_v = drawn(seed, 4, {1, kv_heads, width, 2}, size, f);
  m.causal = seed % 4 < 2;
  if (seed % 5 == 2) m.scale = 0.75;
  if (seed % 2 == 1) m.b_q = drawn(seed, 5, {1, heads, 1, 3}, 1, f);
  if (seed % 3 == 0) m.b_v = drawn(seed, 6, {1, kv_heads, 1, 2}, 1, f);
  if (seed % 4 == 3) return m;
  m.w_o = drawn(seed, 7, {1, heads, 2, 5}, size, f);
  if (seed % 2 == 0) m.b_o = drawn(seed, 8, {1, 1, 1, 5}, 1, f);
  return m;
}

// One head after the other, by the definition.
template <Number T>
std::vector<double> head_by_head(const attention_module& m) {
  const evaluated_module<T> evaluated(m);
  std::vector<double> all;
  for (std::int64_t b = 0; b < m.x.sizes()[0]; ++b)
    for (std::int64_t t = 0; t < m.x.sizes()[2]; ++t)
      for (const T& y : evaluated.at(b, t)) all.push_back(value_of(y));
  return all;
}

// All heads at once: one row of q, k and v for each position, sums from the other end, values
// divided at the end, and the output as one product with W_o.
template <Number T>
class vectorised {
 public:
  explicit vectorised(const attention_module& m) : m_(m) {}

  std::vector<double> all() const {
    std::vector<double> list;
    for (std::int64_t b = 0; b < m_.x.sizes()[0]; ++b)
      for (std::int64_t t = 0; t < m_.x.sizes()[2]; ++t) add(b, t, list);
    return list;
  }

 private:
  T projected(const tensor& w, const std::optional<tensor>& bias, std::int64_t b, std::int64_t t,
              std::int64_t column) const {
    const std::int64_t h = column / w.sizes()[3], d = column % w.sizes()[3];
    T sum(0);
    for (std::int64_t c = w.sizes()[2] - 1; c >= 0; --c)
      sum = sum + T(m_.x.at(b, 0, t, c)) * T(w.at(0, h, c, d));
    return bias ? T(sum + T(bias->at(0, h, 0, d))) : sum;
  }

  void add(std::int64_t b, std::int64_t t, std::vector<double>& list) const {
    const std::int64_t heads = m_.w_q.sizes()[1], width = m_.w_q.sizes()[3],
                       columns = m_.w_v.sizes()[3];
    const T c = m_.scale ? T(*m_.scale) : T(T(1) / sqrt_of(T(static_cast<double>(width))));
    std::vector<T> row(static_cast<std::size_t>(heads * columns), T(0));
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::int64_t g = m_.kv_head(h);
      std::vector<T> scores;
      for (std::int64_t j = 0; j <= m_.last_key(t); ++j) {
        T sum(0);
        for (std::int64_t d = 0; d < width; ++d)
          sum = sum + T(c * projected(m_.w_q, m_.b_q, b, t, h * width + d)) *
                          projected(m_.w_k, m_.b_k, b, j, g * width + d);
        scores.push_back(sum);
      }
      const exponential_terms<T> terms(scores);
      for (std::int64_t d = 0; d < columns; ++d) {
        T sum(0);
        for (std::size_t j = 0; j < scores.size(); ++j)
          sum = sum + terms.each[j] * projected(m_.w_v, m_.b_v, b, static_cast<std::int64_t>(j),
                                                g * columns + d);
        row[static_cast<std::size_t>(h * columns + d)] = T(sum / terms.sum);
      }
    }
    for (std::int64_t e = 0; e < m_.outputs(); ++e) list.push_back(value_of(output(row, e)));
  }

  T output(const std::vector<T>& row, std::int64_t e) const {
    if (!m_.w_o) return row[static_cast<std::size_t>(e)];
    T sum(0);
    for (std::size_t n = row.size(); n-- > 0;) {
      const auto column = static_cast<std::int64_t>(n);
      const std::int64_t width = m_.w_v.sizes()[3];
      sum = sum + row[n] * T(m_.w_o->at(0, column / width, column % width, e));
    }
    return m_.b_o ? T(sum + T(m_.b_o->at(0, 0, 0, e))) : sum;
  }

  const attention_module& m_;
};

template <Number T>
std::vector<double> all_at_once(const attention_module& m) {
  return vectorised<T>(m).all();
}

// The largest error as a share of its bound.
double worst_ratio(const attention_module& m, const contract& c, const std::vector<double>& found) {
  const std::vector<module_element> due = bound_of(c, m);
  EXPECT_EQ(due.size(), found.size());
  double worst = 0;
  for (std::size_t n = 0; n < due.size(); ++n) {
    const double y = round_to(*c.output, {}, found[n]);
    worst = std::max(worst, std::fabs((y - due[n].exact.high) - due[n].exact.low) / due[n].bound);
  }
  return worst;
}

struct number_case {
  const char* contract;
  const format* inputs;
  std::vector<double> (*ways[2])(const attention_module&);
};

const number_case numbers[] = {
    {"float64", &f64, {head_by_head<double>, all_at_once<double>}},
    {"float32", &f32, {head_by_head<float>, all_at_once<float>}},
    {"fp16-accumulate", &f16, {head_by_head<half>, all_at_once<half>}},
};

TEST(module_bound, holds_of_every_order_in_every_number) {
  for (const number_case& c : numbers) {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const attention_module m = module_of(seed, *c.inputs);
      for (const auto& way : c.ways) {
        const double ratio = worst_ratio(m, find_contract(c.contract), way(m));
        EXPECT_LE(ratio, 1) << c.contract << " seed " << seed;
        worst = std::max(worst, ratio);
      }
    }
    EXPECT_GT(worst, 0.01) << c.contract << ": the bound is not empty";
  }
}

// Each mistake in float32, on modules that show it.
TEST(module_bound, finds_what_is_wrong) {
  const auto wrong = [](std::uint64_t seed, const std::function<void(attention_module&)>& mistake) {
    const attention_module right = module_of(seed, f32);
    attention_module other = right;
    mistake(other);
    return worst_ratio(right, find_contract("float32"), head_by_head<float>(other));
  };
  EXPECT_GT(wrong(0, [](attention_module& m) { m.causal = !m.causal; }), 1e3);
  EXPECT_GT(wrong(0, [](attention_module& m) { m.scale = 1 / std::sqrt(6.0); }), 1e3)
      << "of the width of x, not of a head";
  EXPECT_GT(wrong(0, [](attention_module& m) { m.b_o.reset(); }), 1e3);
  EXPECT_GT(wrong(1, [](attention_module& m) { m.b_q.reset(); }), 1e3);
  EXPECT_GT(wrong(0, [](attention_module& m) { std::swap(m.w_q, m.w_k); }), 1e3);
}

}  // namespace
}  // namespace attest
