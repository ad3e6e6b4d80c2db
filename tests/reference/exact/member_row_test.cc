// The reference of every member against double, against another 100 digits and against bisection.
#include "reference/exact/member_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "reference/backends/answer.h"
#include "reference/certified/certified.h"
#include "reference/definition/attention.h"
#include "reference/exact/interval_weights.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/exact/bin_float_row.h"
#include "tests/reference/exact/bisected_weights.h"
#include "tests/reference/members.h"

namespace attest {
namespace {

problem member_problem(const std::string& member, std::uint64_t seed, const format& inputs) {
  problem_spec spec = random_spec(seed, inputs);
  spec.dims.batch = 1;
  spec.dims.keys = std::min<std::int64_t>(spec.dims.keys, 17);
  spec.profile += (spec.profile.find(',') == std::string::npos ? "," : ",") + member;
  if (member.find("softmax") == std::string::npos) spec.sink = false;
  return materialise(spec);
}

template <class Check>
void for_rows_of_every_member(const format& inputs, Check check) {
  std::uint64_t seed = 0;
  for (const std::string& member : every_member())
    for (int n = 0; n < 3; ++n) {
      SCOPED_TRACE(member + " seed " + std::to_string(++seed));
      const problem p = member_problem(member, seed, inputs);
      for_each_row(p.dims, [&](const row_index& row) { check(p, row, compute_exact_row(p, row)); });
    }
}

TEST(member_row, encloses_another_evaluation_to_100_digits) {
  for (const format* inputs : {&f64, &f16})
    for_rows_of_every_member(*inputs,
                             [](const problem& p, const row_index& place, const exact_row& exact) {
                               ASSERT_EQ(disagreement_with_bin_float(p, place, exact), "");
                             });
}

TEST(member_row, is_as_certain_as_it_promises) {
  std::int64_t unknown = 0, known = 0;
  for_rows_of_every_member(
      f32, [&](const problem& p, const row_index& place, const exact_row& exact) {
        for (std::size_t d = 0; d < exact.output.size(); ++d) {
          const enclosure& o = exact.output[d];
          double size = std::fabs(o.high);
          for (std::size_t n = 0; n < exact.keys.size(); ++n)
            size += std::fabs(exact.keys[n].weight *
                              exact.value(p, place, n, static_cast<std::int64_t>(d)));
          if (!std::isfinite(o.high)) continue;
          ++(std::isinf(o.radius) ? unknown : known);
          if (!std::isinf(o.radius)) {
            ASSERT_LE(o.radius, 0x1p-76 * size + 0x1p-900);
          }
        }
      });
  EXPECT_LT(100 * unknown, known) << "sums of 0 that no precision tells are rare";
}

TEST(member_row, weights_sum_to_1) {
  for_rows_of_every_member(f32, [&](const problem& p, const row_index&, const exact_row& exact) {
    if (exact.empty() || p.rules.normalised_by == normalizer::identity) return;
    double sum = 0, size = 0;
    for (const exact_key& key : exact.keys) sum += key.weight, size += std::fabs(key.weight);
    if (std::isfinite(sum)) {
      ASSERT_NEAR(sum, 1, 1e-13 * size);
    }
  });
}

// A softmax of products has two references: they must enclose the same number.
TEST(member_row, agrees_with_the_reference_of_softmax) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const problem p = materialise(random_spec(seed, f32));
    for_each_row(p.dims, [&](const row_index& row) {
      const exact_row one = compute_exact_row(p, row), other = compute_member_row(p, row);
      for (std::size_t d = 0; d < one.output.size(); ++d) {
        const enclosure &x = one.output[d], &y = other.output[d];
        if (!std::isfinite(x.high)) continue;
        ASSERT_LE(std::fabs((x.high - y.high) + (x.low - y.low)), x.radius + y.radius + 1e-300);
      }
      for (std::size_t n = 0; n < one.keys.size(); ++n) {
        ASSERT_NEAR(one.keys[n].logit, other.keys[n].logit,
                    0x1p-52 * std::fabs(one.keys[n].logit) + 0x1p-100 * one.keys[n].magnitude);
        ASSERT_NEAR(one.keys[n].weight, other.keys[n].weight, 1e-15);
        ASSERT_NEAR(one.keys[n].capped, other.keys[n].capped, 1e-13 * (1 + one.keys[n].capped));
      }
      ASSERT_NEAR(one.log_mass, other.log_mass, 1e-12);
    });
  }
}

// What certify() says of weights and magnitudes, where rows are outside of its engine.
TEST(member_row, weights_of_certify_enclose_those_to_100_digits) {
  const std::vector<std::string> members{"normalizer=sparsemax", "normalizer=entmax_1_5",
                                         "normalizer=alpha_entmax", "normalizer=ratio",
                                         "scorer=cosine"};
  std::uint64_t seed = 0;
  for (const std::string& member : members)
    for (int n = 0; n < 4; ++n) {
      const problem p = member_problem(member, ++seed, f32);
      const certified_answer a = certify(p, {.weights = true, .magnitudes = true});
      std::size_t at = 0;
      for_each_row(p.dims, [&](const row_index& place) {
        ASSERT_EQ(disagreement_with_bin_float(p, place, std::span(a.weights).subspan(at)), "")
            << member << ' ' << seed;
        at += static_cast<std::size_t>(p.dims.keys);
      });
      for (std::size_t m = 0; m < a.magnitudes.size(); ++m)
        if (std::isfinite(a.output[m].high) && std::isfinite(a.output[m].radius)) {
          ASSERT_GE(a.magnitudes[m], std::fabs(a.output[m].high) - a.output[m].radius) << member;
        }
    }
}

// ---- Thresholds ----

TEST(enclose_weights, enclose_what_bisection_finds) {
  for (std::uint64_t n = 0; n < 60; ++n)
    ASSERT_EQ(disagreement_with_bisection(draw_logits(20261201, n)), "") << n;
}

// The check above must be able to fail.
TEST(enclose_weights, a_threshold_of_another_alpha_is_found_out) {
  const drawn_logits x{{0.25, 0, -0.125}, 1.75};
  const std::vector<interval> logits{interval(0.25), interval(0), interval(-0.125)};
  EXPECT_EQ(disagreement_with_bisection(x, enclose_weights(normalizer::alpha_entmax, 1.75, logits)),
            "");
  EXPECT_NE(disagreement_with_bisection(
                x, enclose_weights(normalizer::alpha_entmax, 1.75 + 0x1p-52, logits)),
            "");
}

// Of intervals, the weights of any numbers in them.
TEST(enclose_weights, of_wide_logits_hold_those_of_every_choice) {
  for (const normalizer by : {normalizer::sparsemax, normalizer::entmax_1_5,
                              normalizer::alpha_entmax, normalizer::relu_ratio})
    for (std::uint64_t n = 0; n < 40; ++n) {
      const drawn_logits x = draw_logits(7, n);
      std::vector<interval> wide;
      for (double t : x.logits) wide.push_back(interval::between(t - 0x1p-6, t + 0x1p-7));
      const std::vector<interval> weights = enclose_weights(by, x.alpha, wide);
      for (int choice = 0; choice < 4; ++choice) {
        std::vector<double> chosen = x.logits;
        for (std::size_t m = 0; m < chosen.size(); ++m)
          chosen[m] += (choice >> (m % 2) & 1) != 0 ? 0x1p-7 : -0x1p-6;
        const std::vector<double> held = weights_of(by, x.alpha, chosen);
        for (std::size_t m = 0; m < held.size(); ++m)
          EXPECT_TRUE(contains(weights[m] + interval::between(-1e-12, 1e-12), held[m])) << n;
      }
    }
}

TEST(enclose_weights, tell_nothing_of_a_sum_that_may_be_0) {
  const std::vector<interval> logits{interval(1), interval::between(-1 - 0x1p-30, -1 + 0x1p-30)};
  for (const interval& x : enclose_weights(normalizer::ratio, 0, logits))
    EXPECT_TRUE(std::isinf(width(x)));
  EXPECT_TRUE(enclose_weights(normalizer::ratio, 0, {interval(1), interval(-1)}).empty());
}

}  // namespace
}  // namespace attest
