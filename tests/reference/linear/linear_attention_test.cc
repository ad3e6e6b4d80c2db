// Linear attention: the recurrence against hand work, against its chunked and parallel forms, and
// its enclosures against 100 digits.
#include "reference/linear/linear_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/formats/encoding.h"
#include "reference/linear/chunked.h"
#include "reference/linear/exact_linear.h"
#include "reference/multiprecision/mpfr100.h"
#include "tests/reference/linear/drawn_linear_problem.h"
#include "tests/reference/linear/narrow_linear_problem.h"

namespace attest {
namespace {

constexpr std::uint64_t seeds = 200;

double distance(const mpfr100& x, const mpfr100& y) {
  const mpfr100 size = 1 + abs(x);
  return static_cast<double>(mpfr100(abs(mpfr100(x - y)) / size));
}

void expect_same(const linear_answer<mpfr100>& one, const linear_answer<mpfr100>& other,
                 const std::string& what) {
  ASSERT_EQ(one.output.size(), other.output.size());
  ASSERT_EQ(one.state.size(), other.state.size());
  for (std::size_t n = 0; n < one.output.size(); ++n)
    ASSERT_LE(distance(one.output[n], other.output[n]), 1e-85) << what << ", output " << n;
  for (std::size_t n = 0; n < one.state.size(); ++n)
    ASSERT_LE(distance(one.state[n], other.state[n]), 1e-85) << what << ", state " << n;
}

TEST(linear_attention, adds_up_keys_and_values) {
  const linear_problem p = narrow({1, 2, -1}, {1, 3, 2}, {5, 7, 11});
  const auto a = linear_attention<double>(p);
  EXPECT_EQ(a.output, (std::vector<double>{5, 2 * (5 + 21), -(5 + 21 + 22)}));
  EXPECT_EQ(a.state, (std::vector<double>{48}));
}

TEST(linear_attention, fades_before_it_adds) {
  linear_problem p = narrow({1, 1}, {1, 1}, {4, 8});
  p.decay = column({-3, std::log(0.5)});
  EXPECT_NEAR(linear_attention<double>(p).output[1], 0.5 * 4 + 8, 1e-15);
}

TEST(linear_attention, the_delta_rule_writes_what_is_missing) {
  linear_problem p = narrow({1, 1, 1}, {1, 1, 2}, {4, 8, 6});
  p.rate = column({1, 1, 0.5});
  const auto a = linear_attention<double>(p);
  EXPECT_EQ(a.output[0], 4);
  EXPECT_EQ(a.output[1], 8) << "a key of length 1 at rate 1 forgets what it stood for";
  EXPECT_EQ(a.output[2], 8 + 2 * 0.5 * (6 - 2 * 8));
  p.erase = column({1, 0, 1});
  EXPECT_EQ(linear_attention<double>(p).output[1], 4 + 8) << "nothing is erased";
}

TEST(linear_attention, begins_with_a_state_and_a_scale) {
  linear_problem p = narrow({2}, {1}, {3});
  p.state = column({10});
  p.scale = 0.5;
  EXPECT_EQ(linear_attention<double>(p).output[0], 13);
}

TEST(linear_attention, normalised_outputs_of_ones_are_1) {
  linear_problem p = narrow({0.5, -2, 1}, {-1, 3, 0.25}, {1, 1, 1});
  p.map = feature_map::elu_plus_1;
  p.normalised = true;
  p.decay = column({-1, -2, -0.5});
  for (const double o : linear_attention<double>(p).output) EXPECT_NEAR(o, 1, 1e-15);
}

// Two draws of one coordinate: phi(x) = (exp(x - x^2 / 2), exp(-2 x - x^2 / 2)).
TEST(linear_attention, exp_features_have_a_channel_a_draw) {
  linear_problem p = narrow({1, 0}, {0, 2}, {3, 5});
  p.map = feature_map::exp_features;
  p.draws = column({1, -2});
  const auto a = linear_attention<double>(p);
  EXPECT_NEAR(a.output[0], 3 * (std::exp(0.5) + std::exp(-2.5)), 1e-14);
  EXPECT_NEAR(a.output[1], 3 + 5 + 3 + 5 * std::exp(-6.0), 1e-14);
  ASSERT_EQ(a.state.size(), 2U);
  EXPECT_NEAR(a.state[1], 3 + 5 * std::exp(-6.0), 1e-15);
  p.normalised = true;
  EXPECT_NEAR(linear_attention<double>(p).output[1],
              (6 + 5 + 5 * std::exp(-6.0)) / (3 + std::exp(-6.0)), 1e-14);
  p.dims = {.batch = 1, .query_heads = 2, .kv_heads = 2, .queries = 1, .keys = 1};
  p.draws = tensor(f64, place(layout::bhld, {1, 2, 1, 1}), 0);
  p.draws->set({0, 1, 0, 0}, 3);
  p.q = p.k = p.v = tensor(f64, place(layout::bhld, p.dims.k_sizes()), encode(f64, 1));
  p.normalised = false;
  EXPECT_NEAR(linear_attention<double>(p).output[1], std::exp(5.0), 1e-12) << "its KV head's";
}

TEST(linear_attention, without_any_weight_a_normalised_output_is_0) {
  linear_problem p = narrow({-1}, {1}, {3});
  p.map = feature_map::relu;
  p.normalised = true;
  EXPECT_EQ(linear_attention<double>(p).output[0], 0);
}

TEST(linear_attention, query_heads_share_the_state_of_their_kv_head) {
  linear_problem p;
  p.dims = {.batch = 1, .query_heads = 4, .kv_heads = 2};
  p.q = tensor(f64, place(layout::bhld, p.dims.q_sizes()), 0);
  p.k = tensor(f64, place(layout::bhld, p.dims.k_sizes()), 0);
  p.v = tensor(f64, place(layout::bhld, p.dims.v_sizes()), 0);
  for (std::int64_t h = 0; h < 4; ++h) p.q.set({0, h, 0, 0}, 1);
  for (std::int64_t g = 0; g < 2; ++g) {
    p.k.set({0, g, 0, 0}, 1);
    p.v.set({0, g, 0, 0}, static_cast<double>(g + 1));
  }
  EXPECT_EQ(linear_attention<double>(p).output, (std::vector<double>{1, 1, 2, 2}));
}

TEST(linear_attention, chunks_of_any_size_are_the_recurrence) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const linear_problem p = draw_linear_problem(seed, f32);
    const auto recurrent = linear_attention<mpfr100>(p);
    for (const std::int64_t size :
         {std::int64_t{1}, std::int64_t{3}, std::int64_t{16}, p.dims.keys})
      expect_same(recurrent, chunked_linear_attention<mpfr100>(p, size),
                  "seed " + std::to_string(seed) + " in chunks of " + std::to_string(size));
  }
}

TEST(exact_linear_attention, encloses_100_digits_tightly) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const linear_problem p = draw_linear_problem(seed, f32);
    const auto close = linear_attention<mpfr100>(p);
    const auto exact = exact_linear_attention(p);
    const auto expect_encloses = [&](const enclosure& x, const mpfr100& y) {
      const mpfr100 off = abs(mpfr100(mpfr100(y - mpfr100(x.high)) - mpfr100(x.low)));
      ASSERT_LE(off, mpfr100(x.radius) + 1e-90 * (1 + abs(y))) << "seed " << seed;
      ASSERT_LE(x.radius, 0x1p-80 * std::fabs(x.high) + 0x1p-1074) << "seed " << seed;
    };
    for (std::size_t n = 0; n < close.output.size(); ++n)
      expect_encloses(exact.output[n], close.output[n]);
    for (std::size_t n = 0; n < close.state.size(); ++n)
      expect_encloses(exact.state[n], close.state[n]);
  }
}

TEST(exact_linear_attention, leaves_open_what_is_divided_by_nothing) {
  linear_problem p = narrow({1, 1}, {1, -1}, {3, 3});
  p.normalised = true;
  p.decay = column({0, -0.0});
  const auto a = exact_linear_attention(p);
  EXPECT_EQ(a.output[1].high, 0);
  p.decay = column({0, -1e-300});  // the weights sum to about 1e-300
  EXPECT_EQ(exact_linear_attention(p).output[0].high, 3);
}

// z is (e^-1 + x, -e^-1 - 2 x), and the weights sum to -x, far below what 128 bits tell: the
// enclosure of their sum reaches as far below 0 as above.
TEST(exact_linear_attention, takes_no_sum_for_0_that_only_lies_about_it) {
  const double x = 0x1p-600;
  linear_problem p;
  p.dims = {.batch = 1, .query_heads = 1, .kv_heads = 1, .queries = 3, .keys = 3, .width = 2};
  p.q = p.k = tensor(f64, place(layout::bhld, p.dims.k_sizes()), 0);
  p.q.set({0, 0, 2, 0}, 1);
  p.q.set({0, 0, 2, 1}, 1);
  p.k.set({0, 0, 0, 0}, 1);
  p.k.set({0, 0, 0, 1}, -1);
  p.k.set({0, 0, 1, 0}, x);
  p.k.set({0, 0, 2, 1}, -2 * x);
  p.v = column({0, 1, 5});
  p.decay = column({0, -1, 0});
  p.normalised = true;
  const enclosure o = exact_linear_attention(p).output[2];
  EXPECT_EQ(o.high, 9) << "(x - 10 x) / (x - 2 x)";
  EXPECT_LE(o.radius, 9 * 0x1p-80);
}

}  // namespace
}  // namespace attest
