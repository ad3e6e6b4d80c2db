// Each rule of another suite accepts at its constants and rejects beyond them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "properties/peers/closeness.h"
#include "properties/peers/rule.h"
#include "reference/input_error.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

double after(double x) { return std::nextafter(x, infinity); }
double before(double x) { return std::nextafter(x, -infinity); }

bool accepted(std::string_view rule, const peer_evidence& e) {
  return accepts(find_peer_rule(rule), e);
}

// ---- Tolerances for each element ----

struct tolerance_case {
  std::string_view rule;
  const format* stored;
  double absolute, relative;
  bool one_query = false;
};

const tolerance_case tolerance_cases[] = {
    {"assert-close", &f64, 1e-7, 1e-7},
    {"assert-close", &f32, 1e-5, 1.3e-6},
    {"assert-close", &f16, 1e-5, 1e-3},
    {"assert-close", &bf16, 1e-5, 1.6e-2},
    {"xformers", &f32, 3e-4, 2e-5},
    {"xformers", &f16, 4e-3, 4e-4},
    {"xformers", &bf16, 2e-2, 5e-3},
    {"flashinfer", &f16, 1e-3, 1e-3, true},
    {"flashinfer", &f16, 1e-2, 1e-2},
    {"kernelbench", &f32, 1e-4, 1e-4},
    {"kernelbench", &f16, 1e-2, 1e-2},
    {"kernelbench", &bf16, 1e-2, 1e-2},
    {"cudnn-frontend", &f32, 2e-2, 2e-2},
    {"cudnn-frontend", &bf16, 2e-2, 2e-2},
    {"triton-tutorial", &f16, 1e-2, 0},
    {"gpuemu-recommended", &f64, 2.5 * 1e-10, 2.5 * 1e-9},
    {"gpuemu-recommended", &f32, 2.5 * 1e-5, 2.5 * 1e-4},
    {"gpuemu-recommended", &f16, 2.5 * 1e-3, 2.5 * 1e-2},
    {"gpuemu-recommended", &bf16, 2.5 * 1e-2, 2.5 * 1e-1},
    {"gpuemu-corpus", &f32, 1e-3, 0},
    {"gpuemu-corpus", &f16, 5e-2, 0},
};

peer_evidence evidence_of(const tolerance_case& c, double observed, double expected) {
  return {.stored = c.stored,
          .one_query = c.one_query,
          .observed = {expected, observed},
          .expected = {expected, expected}};
}

TEST(peer_rule, accepts_up_to_its_absolute_tolerance_at_zero) {
  for (const tolerance_case& c : tolerance_cases) {
    EXPECT_TRUE(accepted(c.rule, evidence_of(c, c.absolute, 0))) << c.rule << c.stored->name;
    EXPECT_TRUE(accepted(c.rule, evidence_of(c, -c.absolute, 0))) << c.rule << c.stored->name;
    EXPECT_FALSE(accepted(c.rule, evidence_of(c, after(c.absolute), 0)))
        << c.rule << c.stored->name;
    EXPECT_FALSE(accepted(c.rule, evidence_of(c, -after(c.absolute), 0)))
        << c.rule << c.stored->name;
  }
}

TEST(peer_rule, accepts_up_to_both_tolerances_together_far_from_zero) {
  for (const tolerance_case& c : tolerance_cases) {
    const double y = 1024, allowed = c.absolute + c.relative * y;
    const double inside = 0.9999 * allowed, outside = 1.0001 * allowed;
    EXPECT_TRUE(accepted(c.rule, evidence_of(c, y + inside, y))) << c.rule << c.stored->name;
    EXPECT_TRUE(accepted(c.rule, evidence_of(c, -y - inside, -y))) << c.rule << c.stored->name;
    EXPECT_FALSE(accepted(c.rule, evidence_of(c, y + outside, y))) << c.rule << c.stored->name;
    EXPECT_FALSE(accepted(c.rule, evidence_of(c, y - outside, y))) << c.rule << c.stored->name;
  }
}

TEST(peer_rule, onnx_takes_its_relative_part_of_the_output) {
  EXPECT_TRUE(accepted("onnx", {.observed = {0}, .expected = {1e-7}}));
  EXPECT_FALSE(accepted("onnx", {.observed = {0}, .expected = {after(1e-7)}}));
  EXPECT_TRUE(accepted("onnx", {.observed = {1000}, .expected = {999}}));
  EXPECT_FALSE(accepted("onnx", {.observed = {999}, .expected = {1000}}));
}

TEST(peer_rule, cutlass_41_rejects_only_what_is_off_in_both_senses) {
  EXPECT_TRUE(accepted("cutlass-41", {.observed = {5e-2}, .expected = {0}}));
  EXPECT_FALSE(accepted("cutlass-41", {.observed = {after(5e-2)}, .expected = {0}}));
  EXPECT_TRUE(accepted("cutlass-41", {.observed = {1.1}, .expected = {1}}));
  EXPECT_FALSE(accepted("cutlass-41", {.observed = {1.10002}, .expected = {1}}));
  EXPECT_FALSE(accepted("cutlass-41", {.observed = {1, nan}, .expected = {1, 1}}));
  EXPECT_FALSE(accepted("cutlass-41", {.observed = {infinity}, .expected = {infinity}}));
}

// ---- Tolerances that another implementation sets ----

peer_evidence beside_competitor(double observed, double expected, double competitor) {
  return {
      .stored = &f64, .observed = {observed}, .expected = {expected}, .competitor = {competitor}};
}

TEST(peer_rule, flash_attention_2_allows_twice_the_error_of_the_competitor) {
  EXPECT_TRUE(accepted("flash-attention-2", beside_competitor(0.5, 0, -0.25)));
  EXPECT_FALSE(accepted("flash-attention-2", beside_competitor(after(0.5), 0, -0.25)));
  EXPECT_TRUE(accepted("flash-attention-2", beside_competitor(1, 1, 1)));
  EXPECT_FALSE(accepted("flash-attention-2", beside_competitor(after(1), 1, 1)))
      << "a competitor without error forgives nothing";
  EXPECT_FALSE(accepted("flash-attention-2", beside_competitor(1, 1, nan)));
  EXPECT_FALSE(accepted("flash-attention-2", beside_competitor(nan, 1, 9)));
}

// In f64, 0 + 0.3 - 0.3 is 0: no noise.
TEST(peer_rule, flash_attention_3_allows_three_times_that_with_a_soft_cap) {
  peer_evidence inside = beside_competitor(0.5, 0, 0.25), outside = inside;
  outside.observed = {after(0.5)};
  EXPECT_TRUE(accepted("flash-attention-3", inside));
  EXPECT_FALSE(accepted("flash-attention-3", outside));
  inside.soft_capped = outside.soft_capped = true;
  inside.observed = {0.75};
  outside.observed = {after(0.75)};
  EXPECT_TRUE(accepted("flash-attention-3", inside));
  EXPECT_FALSE(accepted("flash-attention-3", outside));
}

// In bf16, 2^-8 + 0.3 rounds to 156 2^-9, and less 0.3 to 154 2^-15: 26 2^-15 more than 2^-8.
TEST(peer_rule, flash_attention_3_adds_twice_the_noise_of_arithmetic) {
  const double y = 0x1p-8, allowed = 2 * 26 * 0x1p-15;
  const auto evidence = [&](double x) {
    return peer_evidence{.stored = &bf16, .observed = {x}, .expected = {y}, .competitor = {y}};
  };
  EXPECT_TRUE(accepted("flash-attention-3", evidence(y + allowed)));
  EXPECT_FALSE(accepted("flash-attention-3", evidence(after(y + allowed))));
}

TEST(peer_rule, torch_sdpa_allows_its_defaults_at_least) {
  const auto evidence = [](const format& stored, double x, double y) {
    return peer_evidence{.stored = &stored, .observed = {x}, .expected = {y}, .competitor = {y}};
  };
  for (const auto& [stored, absolute] :
       {std::pair{&f32, 1e-5}, std::pair{&f16, 1e-3}, std::pair{&bf16, 1e-3}}) {
    EXPECT_TRUE(accepted("torch-sdpa", evidence(*stored, absolute, 0))) << stored->name;
    EXPECT_FALSE(accepted("torch-sdpa", evidence(*stored, after(absolute), 0))) << stored->name;
  }
  EXPECT_TRUE(accepted("torch-sdpa", evidence(bf16, 1 + 0.999 * (1e-3 + 1.6e-2), 1)));
  EXPECT_FALSE(accepted("torch-sdpa", evidence(bf16, 1 + 1.001 * (1e-3 + 1.6e-2), 1)));
}

TEST(peer_rule, torch_sdpa_allows_what_the_competitor_needed) {
  EXPECT_TRUE(accepted("torch-sdpa", beside_competitor(1.5, 1, 0.75)))
      << "0.25 absolute, and 0.25 of 1";
  EXPECT_FALSE(accepted("torch-sdpa", beside_competitor(after(1.5), 1, 0.75)));
  const peer_evidence off_at_zero{
      .stored = &f32, .observed = {0, 1.2500012}, .expected = {0, 1}, .competitor = {0.25, 1}};
  EXPECT_TRUE(accepted("torch-sdpa", off_at_zero)) << "an infinite relative error is not used";
  peer_evidence too_far = off_at_zero;
  too_far.observed[1] = 1.2500014;
  EXPECT_FALSE(accepted("torch-sdpa", too_far));
  EXPECT_FALSE(accepted("torch-sdpa", beside_competitor(1, 1, nan)));
}

TEST(peer_rule, gpuemu_calibrated_allows_one_and_a_half_times_what_controls_needed) {
  const auto evidence = [](double x) {
    return peer_evidence{.observed = {x}, .expected = {0}, .control_error = 0.125};
  };
  EXPECT_TRUE(accepted("gpuemu-calibrated", evidence(0.1875)));
  EXPECT_FALSE(accepted("gpuemu-calibrated", evidence(after(0.1875))));
}

TEST(peer_rule, gpuemu_rejects_what_is_not_finite_even_where_it_is_due) {
  for (const char* rule : {"gpuemu-recommended", "gpuemu-corpus", "gpuemu-calibrated"})
    EXPECT_FALSE(accepted(rule, {.observed = {infinity}, .expected = {infinity}})) << rule;
}

// ---- A number or two for the whole output ----

TEST(peer_rule, cutlass_77_bounds_the_largest_and_the_mean_error) {
  peer_evidence e{.observed = std::vector<double>(100, 0), .expected = std::vector<double>(100, 0)};
  e.observed[7] = before(1e-2);
  EXPECT_TRUE(accepted("cutlass-77", e));
  e.observed[7] = 1e-2;
  EXPECT_FALSE(accepted("cutlass-77", e));
  EXPECT_TRUE(accepted("cutlass-77", {.observed = {before(1e-3)}, .expected = {0}}));
  EXPECT_FALSE(accepted("cutlass-77", {.observed = {1e-3}, .expected = {0}}));
  EXPECT_FALSE(accepted("cutlass-77", {.observed = {nan}, .expected = {0}}));
}

TEST(peer_rule, with_8_bit_inputs_some_rules_are_wider) {
  const auto evidence = [](double x) {
    return peer_evidence{.inputs = &f8_e4m3fn, .stored = &bf16, .observed = {x}, .expected = {0}};
  };
  EXPECT_TRUE(accepted("cutlass-77", evidence(before(1e-1))));
  EXPECT_FALSE(accepted("cutlass-77", evidence(1e-1)));
  EXPECT_TRUE(accepted("flashinfer", evidence(before(1))));
  EXPECT_FALSE(accepted("flashinfer", evidence(1)));
}

TEST(peer_rule, ggml_bounds_the_share_of_the_squares) {
  EXPECT_TRUE(accepted("ggml", {.observed = {1}, .expected = {1 - 0.02236}}))
      << "0.02236^2 = 0.99994 5e-4";
  EXPECT_FALSE(accepted("ggml", {.observed = {1}, .expected = {1 - 0.02237}}));
  EXPECT_FALSE(accepted("ggml", {.observed = {0}, .expected = {1e-10}}));
  EXPECT_TRUE(accepted("ggml", {.observed = {0}, .expected = {0}}));
}

TEST(peer_rule, ggml_compares_classes_first_and_nothing_after_an_infinity) {
  const double largest = largest_finite(f32);
  EXPECT_FALSE(accepted("ggml", {.observed = {1, nan}, .expected = {1, nan}}));
  EXPECT_FALSE(accepted("ggml", {.observed = {1, infinity}, .expected = {1, 1}}));
  EXPECT_FALSE(accepted("ggml", {.observed = {infinity}, .expected = {-infinity}}));
  EXPECT_TRUE(accepted("ggml", {.observed = {7, infinity}, .expected = {1, infinity}}));
  EXPECT_TRUE(accepted("ggml", {.observed = {largest}, .expected = {infinity}}));
  EXPECT_TRUE(accepted("ggml", {.observed = {1e20}, .expected = {3e20}}))
      << "squares beyond the largest float are infinite, and inf / inf is not too much";
}

TEST(peer_rule, cosine_is_blind_to_scale) {
  const std::vector<double> y{1, -2, 0.5};
  EXPECT_TRUE(accepted("cosine", {.observed = {1000, -2000, 500}, .expected = y}));
  EXPECT_FALSE(accepted("cosine", {.observed = {-1, 2, -0.5}, .expected = y}));
  EXPECT_FALSE(accepted("cosine", {.observed = {0, 0, 0}, .expected = y}));
  EXPECT_FALSE(accepted("cosine", {.observed = {nan, -2, 0.5}, .expected = y}));
}

// 99 / hypot(99, 14.1067...) = 0.99.
TEST(peer_rule, cosine_bounds_an_angle) {
  EXPECT_TRUE(accepted("cosine", {.observed = {99, 14.106}, .expected = {1, 0}}));
  EXPECT_FALSE(accepted("cosine", {.observed = {99, 14.108}, .expected = {1, 0}}));
}

// ---- All of them ----

TEST(peer_rules, have_names_and_texts) {
  std::set<std::string_view> names;
  for (const peer_rule* rule : all_peer_rules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_EQ(&find_peer_rule(rule->name), rule);
    EXPECT_FALSE(rule->accepts.empty() || rule->nonfinite.empty() || rule->source.empty())
        << rule->name;
  }
  EXPECT_EQ(names.size(), 17u);
  EXPECT_THROW(find_peer_rule("no-such-rule"), input_error);
}

TEST(peer_rules, accept_the_exact_answer_and_reject_NaN_for_a_number) {
  for (const peer_rule* rule : all_peer_rules()) {
    peer_evidence e{.observed = {1, -0.25}, .expected = {1, -0.25}, .competitor = {1, -0.25}};
    EXPECT_TRUE(accepts(*rule, e)) << rule->name;
    e.observed[1] = nan;
    EXPECT_FALSE(accepts(*rule, e)) << rule->name;
  }
}

TEST(peer_rules, accept_NaN_where_it_is_due_in_onnx_alone) {
  const peer_evidence e{.observed = {1, nan}, .expected = {1, nan}, .competitor = {1, nan}};
  for (const peer_rule* rule : all_peer_rules())
    EXPECT_EQ(accepts(*rule, e), rule->name == "onnx") << rule->name;
}

TEST(peer_rules, have_nothing_against_nothing) {
  for (const peer_rule* rule : all_peer_rules()) EXPECT_TRUE(accepts(*rule, {})) << rule->name;
}

// ---- Distances ----

TEST(closeness, equal_infinities_are_close_and_opposite_ones_are_not) {
  const double pair[] = {infinity, -infinity}, opposite[] = {-infinity, infinity};
  EXPECT_TRUE(all_close(pair, pair, {}));
  EXPECT_FALSE(all_close(pair, opposite, {infinity, infinity}));
}

TEST(closeness, measures_whole_outputs) {
  const double x[] = {1, 2, 3}, y[] = {1, 4, 2};
  EXPECT_EQ(largest_error(x, y), 2);
  EXPECT_EQ(mean_error(x, y), 1);
  EXPECT_EQ(mean_square_error(x, y), 5.0 / 3);
  EXPECT_DOUBLE_EQ(cosine_similarity(x, y), 15 / (std::sqrt(14) * std::sqrt(21)));
  const double z[] = {1, nan, 3};
  EXPECT_TRUE(std::isnan(largest_error(x, z)));
  EXPECT_EQ(largest_error({}, {}), 0);
}

}  // namespace
}  // namespace attest
