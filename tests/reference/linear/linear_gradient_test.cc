// The gradient of linear attention against differences and dual numbers, in 100 digits, element by
// element, and against hand work.
#include "reference/linear/linear_gradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "reference/exact/interval_enclosure.h"
#include "reference/formats/encoding.h"
#include "reference/multiprecision/mpfr100.h"
#include "reference/random.h"
#include "tests/reference/gradient_check.h"
#include "tests/reference/linear/drawn_linear_problem.h"
#include "tests/reference/linear/narrow_linear_problem.h"

namespace attest {
namespace {

using test::off_zero;

tensor drawn(std::uint64_t seed, std::uint64_t stream, const index4& sizes) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4& i) { t.set(i, random_normal(seed, stream, n++)); });
  return off_zero(t);
}

// What a gradient is asked of.
struct question {
  linear_problem p;
  tensor d_output;
  std::optional<tensor> d_state;
};

bool is_small(const shape& s) {
  return s.queries >= 2 && s.queries <= 4 && s.batch * s.query_heads * s.width <= 12;
}

tensor without_signs(tensor t) {
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, std::fabs(t.at(i))); });
  return t;
}

// Of few elements and all the options of drawn problems; normalised with any map, where that has no
// sign.
question question_of(std::uint64_t seed) {
  question q;
  linear_problem& p = q.p;
  for (std::uint64_t next = seed * 1000; next == seed * 1000 || !is_small(p.dims); ++next)
    p = draw_linear_problem(next, f64);
  if (seed % 3 == 0 && !p.state) p.normalised = true;
  p.q = off_zero(p.q);
  p.k = off_zero(p.k);
  if (p.normalised && p.map == feature_map::identity) {
    p.q = without_signs(p.q);
    p.k = without_signs(p.k);
  }
  p.v = off_zero(p.v);
  for (std::optional<tensor>* t : {&p.draws, &p.decay, &p.rate, &p.erase, &p.state})
    if (*t) *t = off_zero(**t);
  if (p.scale) p.scale = 0.75;
  q.d_output = drawn(seed, 1, p.dims.o_sizes());
  if (seed % 2 == 0) q.d_state = drawn(seed, 2, p.state_sizes());
  return q;
}

// What the gradient is of: outputs and states, each times what is given for it.
constexpr auto weighted_sum = []<Number T>(const question& q) {
  const linear_answer<T> answer = linear_attention<T>(q.p);
  T sum(0);
  std::size_t n = 0;
  for_each_index(q.p.dims.o_sizes(),
                 [&](const index4& i) { sum = sum + answer.output[n++] * T(q.d_output.at(i)); });
  n = 0;
  if (q.d_state)
    for_each_index(q.p.state_sizes(),
                   [&](const index4& i) { sum = sum + answer.state[n++] * T(q.d_state->at(i)); });
  return sum;
};

using counts = std::map<std::string, test::held>;

void expect_agrees(const question& q, counts& held) {
  const test::gradient_check<mpfr100, question, decltype(weighted_sum)> check(q, weighted_sum,
                                                                              held);
  const auto due = linear_attention_gradient<mpfr100>(q.p, q.d_output, q.d_state);
  check.elements("q", due.q, [](question& r) -> tensor& { return r.p.q; });
  check.elements("k", due.k, [](question& r) -> tensor& { return r.p.k; });
  check.elements("v", due.v, [](question& r) -> tensor& { return r.p.v; });
  check.elements("decay", due.decay, [](question& r) -> tensor& { return *r.p.decay; });
  check.elements("rate", due.rate, [](question& r) -> tensor& { return *r.p.rate; });
  check.elements("erase", due.erase, [](question& r) -> tensor& { return *r.p.erase; });
  check.elements("state", due.state, [](question& r) -> tensor& { return *r.p.state; });
  if (q.p.scale)
    check.number("scale", due.scale, [](question& r) -> double& { return *r.p.scale; });
}

// What a question is about, by name.
std::set<std::string> kinds_of(const question& q) {
  const linear_problem& p = q.p;
  const char* const maps[] = {"identity", "elu + 1", "relu", "exp"};
  std::set<std::string> kinds{std::string(maps[static_cast<int>(p.map)]) +
                              (p.normalised ? ", normalised" : "")};
  if (p.dims.query_heads > p.dims.kv_heads) kinds.insert("grouped");
  if (p.decay && p.dims.width > 1)
    kinds.insert(p.decay->sizes()[3] == 1 ? "decay of heads" : "decay of channels");
  if (p.rate) kinds.insert(p.erase ? "erase" : "delta rule");
  if (p.rate && p.draws) kinds.insert("exp, delta rule");
  if (p.rate && p.decay) kinds.insert("gated delta rule");
  if (p.rate && p.normalised) kinds.insert("delta rule, normalised");
  if (p.state) kinds.insert("state at the start");
  if (q.d_state) kinds.insert("gradient of the last state");
  return kinds;
}

TEST(linear_gradient, is_what_differences_and_dual_numbers_give) {
  counts held;
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
    const question q = question_of(seed);
    expect_agrees(q, held);
    kinds.merge(kinds_of(q));
  }
  EXPECT_EQ(kinds.size(), 18U) << "every kind is asked";
  for (const char* name : {"q", "k", "v", "decay", "rate", "erase", "state", "scale"})
    EXPECT_GT(held[name].all, 10) << name;
  for (const char* name : {"q", "k", "decay"}) EXPECT_GT(held[name].with_order, 100) << name;
}

TEST(linear_gradient, is_the_same_in_doubles_and_in_intervals) {
  const interval_precision scope(256);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const question q = question_of(seed);
    const auto close = linear_attention_gradient<mpfr100>(q.p, q.d_output, q.d_state);
    const auto quick = linear_attention_gradient<double>(q.p, q.d_output, q.d_state);
    const auto sure = linear_attention_gradient<interval>(q.p, q.d_output, q.d_state);
    for_each_index(close.k.sizes(), [&](const index4& i) {
      const auto due = static_cast<double>(close.k.at(i));
      EXPECT_NEAR(quick.k.at(i), due, 1e-11 * (1 + std::fabs(due))) << "seed " << seed;
      const enclosure e = enclose(sure.k.at(i));
      EXPECT_NEAR(e.high, due, 1e-15 * (1 + std::fabs(due))) << "seed " << seed;
      EXPECT_LE(e.radius, 1e-30 * (1 + std::fabs(due))) << "seed " << seed;
    });
  }
}

using doubles = std::vector<double>;

// o = q1 k1 v1, q2 (k1 v1 + k2 v2).
TEST(linear_gradient, of_a_sum_by_hand) {
  const auto g =
      linear_attention_gradient<double>(narrow({2, 3}, {5, 7}, {11, 13}), column({1, 10}));
  EXPECT_EQ(g.q.values(), (doubles{55, 10 * (55 + 91)}));
  EXPECT_EQ(g.k.values(), (doubles{11 * (2 + 30), 13 * 30}));
  EXPECT_EQ(g.v.values(), (doubles{5 * (2 + 30), 7 * 30}));
  EXPECT_EQ(g.scale, 2 * 55 + 10 * 3 * (55 + 91));
  EXPECT_TRUE(g.decay.empty() && g.rate.empty() && g.erase.empty() && g.state.empty());
}

TEST(linear_gradient, at_a_kink_is_the_slope_from_the_left_of_relu_and_1_of_elu) {
  linear_problem p = narrow({0}, {1}, {3});
  p.map = feature_map::relu;
  EXPECT_EQ(linear_attention_gradient<double>(p, column({1})).q.values(), doubles{0});
  p.map = feature_map::elu_plus_1;
  EXPECT_EQ(linear_attention_gradient<double>(p, column({1})).q.values(), doubles{6});
}

// o = exp(w q - q^2 / 2 + w k - k^2 / 2) v of q = 2, k = 1, w = 3: the exponent is 6.5.
TEST(linear_gradient, of_exp_features_by_hand) {
  linear_problem p = narrow({2}, {1}, {5});
  p.map = feature_map::exp_features;
  p.draws = column({3});
  const auto g = linear_attention_gradient<double>(p, column({1}));
  const double weight = std::exp(6.5);
  EXPECT_NEAR(g.q.values()[0], weight * 5 * (3 - 2), 1e-10);
  EXPECT_NEAR(g.k.values()[0], weight * 5 * (3 - 1), 1e-10);
  EXPECT_NEAR(g.v.values()[0], weight, 1e-10);
}

TEST(linear_gradient, of_a_row_without_weight_is_0) {
  linear_problem p = narrow({-1, 1}, {1, 1}, {3, 5});
  p.map = feature_map::relu;
  p.normalised = true;
  const auto g = linear_attention_gradient<double>(p, column({1, 0}));
  EXPECT_EQ(g.q.values(), (doubles{0, 0}));
  EXPECT_EQ(g.k.values(), (doubles{0, 0}));
  EXPECT_EQ(g.v.values(), (doubles{0, 0}));
}

// The usual c of four coordinates is 1 / 2, and o is 2 c.
TEST(linear_gradient, of_the_usual_scale_is_that_of_a_given_one) {
  linear_problem p = narrow({1}, {1}, {1});
  p.dims.width = 4;
  p.q = p.k = tensor(f64, place(layout::bhld, p.dims.q_sizes()), encode(f64, 0.5));
  p.v = column({2});
  EXPECT_EQ(linear_attention_gradient<double>(p, column({3})).scale, 3 * 2);
  p.scale = 0.125;
  EXPECT_EQ(linear_attention_gradient<double>(p, column({3})).scale, 3 * 2);
}

}  // namespace
}  // namespace attest
