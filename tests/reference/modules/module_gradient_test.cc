// The gradient of a module of attention against differences and dual numbers, in 100 digits,
// element by element, and against hand work.
#include "reference/modules/module_gradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "reference/multiprecision/mpfr100.h"
#include "reference/random.h"
#include "tests/reference/gradient_check.h"

namespace attest {
namespace {

tensor drawn(std::uint64_t seed, std::uint64_t stream, const index4& sizes) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4& i) { t.set(i, 0.7 * random_normal(seed, stream, n++)); });
  return test::off_zero(t);
}

// What a gradient is asked of.
struct question {
  attention_module m;
  tensor d_output;
};

// Of few elements; every other part of a module is there now and then.
question question_of(std::uint64_t seed) {
  const auto one_in = [&](std::uint64_t n, std::uint64_t index) {
    return random_below(seed, 0, index, n) == 0;
  };
  const std::int64_t batch = one_in(2, 0) ? 2 : 1, kv_heads = one_in(3, 1) ? 1 : 2,
                     heads = one_in(2, 2) ? 2 * kv_heads : kv_heads;
  question q;
  attention_module& m = q.m;
  m.x = drawn(seed, 1, {batch, 1, 3, 3});
  m.w_q = drawn(seed, 2, {1, heads, 3, 2});
  m.w_k = drawn(seed, 3, {1, kv_heads, 3, 2});
  m.w_v = drawn(seed, 4, {1, kv_heads, 3, 2});
  m.causal = one_in(2, 3);
  if (one_in(2, 4)) m.scale = 0.75;
  if (one_in(2, 5)) m.b_q = drawn(seed, 5, {1, heads, 1, 2});
  if (one_in(2, 6)) m.b_k = drawn(seed, 6, {1, kv_heads, 1, 2});
  if (one_in(2, 7)) m.b_v = drawn(seed, 7, {1, kv_heads, 1, 2});
  if (!one_in(3, 8)) m.w_o = drawn(seed, 8, {1, heads, 2, 3});
  if (m.w_o && one_in(2, 9)) m.b_o = drawn(seed, 9, {1, 1, 1, 3});
  q.d_output = drawn(seed, 10, {batch, 1, 3, m.outputs()});
  return q;
}

// What the gradient is of: outputs, each times what is given for it.
constexpr auto weighted_sum = []<Number T>(const question& q) {
  const evaluated_module<T> evaluated(q.m);
  T sum(0);
  for (std::int64_t b = 0; b < q.m.x.sizes()[0]; ++b)
    for (std::int64_t t = 0; t < q.m.x.sizes()[2]; ++t) {
      const std::vector<T> y = evaluated.at(b, t);
      for (std::size_t e = 0; e < y.size(); ++e)
        sum = sum + y[e] * T(q.d_output.at(b, 0, t, static_cast<std::int64_t>(e)));
    }
  return sum;
};

using counts = std::map<std::string, test::held>;

void expect_agrees(const question& q, counts& held) {
  const test::gradient_check<mpfr100, question, decltype(weighted_sum)> check(q, weighted_sum,
                                                                              held);
  const auto due = attention_module_gradient<mpfr100>(q.m, q.d_output);
  check.elements("x", due.x, [](question& r) -> tensor& { return r.m.x; });
  check.elements("w_q", due.w_q, [](question& r) -> tensor& { return r.m.w_q; });
  check.elements("w_k", due.w_k, [](question& r) -> tensor& { return r.m.w_k; });
  check.elements("w_v", due.w_v, [](question& r) -> tensor& { return r.m.w_v; });
  check.elements("b_q", due.b_q, [](question& r) -> tensor& { return *r.m.b_q; });
  check.elements("b_k", due.b_k, [](question& r) -> tensor& { return *r.m.b_k; });
  check.elements("b_v", due.b_v, [](question& r) -> tensor& { return *r.m.b_v; });
  check.elements("w_o", due.w_o, [](question& r) -> tensor& { return *r.m.w_o; });
  check.elements("b_o", due.b_o, [](question& r) -> tensor& { return *r.m.b_o; });
  if (q.m.scale)
    check.number("scale", due.scale, [](question& r) -> double& { return *r.m.scale; });
}

// What a question is about, by name.
std::set<std::string> kinds_of(const attention_module& m) {
  std::set<std::string> kinds{m.causal ? "causal" : "not causal"};
  if (m.w_q.sizes()[1] > m.w_k.sizes()[1])
    kinds.insert(m.w_k.sizes()[1] > 1 ? "grouped" : "of one KV head");
  kinds.insert(m.w_o ? "projected" : "heads in a row");
  kinds.insert(m.scale ? "given scale" : "usual scale");
  return kinds;
}

TEST(module_gradient, is_what_differences_and_dual_numbers_give) {
  counts held;
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
    const question q = question_of(seed);
    expect_agrees(q, held);
    kinds.merge(kinds_of(q.m));
  }
  EXPECT_EQ(kinds.size(), 8U) << "every kind is asked";
  for (const char* name : {"x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "w_o", "b_o", "scale"})
    EXPECT_GT(held[name].all, 5) << name;
  for (const char* name : {"x", "w_q", "w_k", "b_q", "scale"})
    EXPECT_GT(held[name].with_order, 5) << name;
}

TEST(module_gradient, is_the_same_in_doubles) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const question q = question_of(seed);
    const auto close = attention_module_gradient<mpfr100>(q.m, q.d_output);
    const auto quick = attention_module_gradient<double>(q.m, q.d_output);
    for_each_index(close.x.sizes(), [&](const index4& i) {
      const auto due = static_cast<double>(close.x.at(i));
      EXPECT_NEAR(quick.x.at(i), due, 1e-12 * (1 + std::fabs(due))) << "seed " << seed;
    });
  }
}

tensor full(const index4& sizes, const std::vector<double>& values) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::size_t n = 0;
  for_each_index(sizes, [&](const index4& i) { t.set(i, values[n++]); });
  return t;
}

using doubles = std::vector<double>;

// One position, one coordinate: y = (x w_v + b_v) w_o + b_o whatever the scores are.
TEST(module_gradient, of_one_position_by_hand) {
  const index4 one{1, 1, 1, 1};
  attention_module m;
  m.x = full(one, {2});
  m.w_q = m.w_k = full(one, {1});
  m.w_v = full(one, {3});
  m.b_v = full(one, {5});
  m.w_o = full(one, {7});
  m.b_o = full(one, {11});
  const auto g = attention_module_gradient<double>(m, full(one, {10}));
  EXPECT_EQ(g.x.values(), doubles{10 * 3 * 7});
  EXPECT_EQ(g.w_v.values(), doubles{10 * 2 * 7});
  EXPECT_EQ(g.b_v.values(), doubles{10 * 7});
  EXPECT_EQ(g.w_o.values(), doubles{10 * (2 * 3 + 5)});
  EXPECT_EQ(g.b_o.values(), doubles{10});
  EXPECT_EQ(g.w_q.values(), doubles{0});
  EXPECT_EQ(g.w_k.values(), doubles{0});
  EXPECT_EQ(g.scale, 0);
  EXPECT_TRUE(g.b_q.empty() && g.b_k.empty());
}

// Heads of four coordinates: c = 1 / 2.
TEST(module_gradient, of_the_usual_scale_is_that_of_a_given_one) {
  attention_module m;
  m.x = drawn(1, 1, {1, 1, 4, 2});
  m.w_q = drawn(1, 2, {1, 1, 2, 4});
  m.w_k = drawn(1, 3, {1, 1, 2, 4});
  m.w_v = drawn(1, 4, {1, 1, 2, 1});
  const tensor d_output = drawn(1, 5, {1, 1, 4, 1});
  const auto usual = attention_module_gradient<double>(m, d_output);
  m.scale = 0.5;
  const auto given = attention_module_gradient<double>(m, d_output);
  EXPECT_EQ(usual.scale, given.scale);
  EXPECT_EQ(usual.x.values(), given.x.values());
  EXPECT_NE(given.scale, 0);
}

}  // namespace
}  // namespace attest
