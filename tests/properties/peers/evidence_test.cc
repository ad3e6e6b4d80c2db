// What peer rules are shown, and on which problems.
#include "properties/peers/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/peers/closeness.h"
#include "properties/peers/control_errors.h"
#include "properties/peers/ruling.h"
#include "properties/peers/usual_problems.h"
#include "reference/backends/answer.h"
#include "reference/certified/rounded.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

problem problem_of(std::string_view line) { return materialise(parse_problem_line(line)); }

peer_evidence evidence_by(std::string_view builtin, const problem& p, bool with_competitor) {
  const auto s = open_builtin(builtin);
  return gather_evidence(p, examiner(*s).ask(p), with_competitor);
}

answer_outcome answer_zeros(problem&, tensor& o, tensor* lse) {
  for_each_index(o.sizes(), [&](const index4& i) { o.set(i, 0); });
  if (lse != nullptr) for_each_index(lse->sizes(), [&](const index4& i) { lse->set(i, 0); });
  return {};
}

TEST(peer_evidence, holds_the_output_and_the_exact_answer_rounded_once) {
  const problem p = problem_of("B=2 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 layout=reversed seed=5");
  const peer_evidence e = evidence_by("mp50", p, false);
  EXPECT_EQ(e.expected, round_correctly(p, f32).output);
  EXPECT_EQ(e.observed, e.expected) << "mp50 rounds correctly";
  EXPECT_TRUE(e.competitor.empty());
  EXPECT_EQ(e.stored->name, "f32");
}

TEST(peer_evidence, knows_what_rules_ask_of_the_problem) {
  const peer_evidence decode =
      evidence_by("fp16", problem_of("Lq=1 Lk=5 D=4 Dv=3 dtype=f16 soft_cap=5"), false);
  EXPECT_TRUE(decode.one_query && decode.soft_capped);
  EXPECT_EQ(decode.inputs->name, "f16");
  const peer_evidence prefill = evidence_by("fp8", problem_of("Lq=2 Lk=5 dtype=f8_e4m3fn"), false);
  EXPECT_FALSE(prefill.one_query || prefill.soft_capped);
  EXPECT_EQ(prefill.stored->name, "bf16");
}

TEST(peer_evidence, has_an_eager_competitor_in_every_format) {
  for (const auto& [format_name, builtin] :
       {std::pair{"f64", "float64"}, std::pair{"f32", "float32"}, std::pair{"f16", "fp16-eager"},
        std::pair{"bf16", "bf16-eager"}, std::pair{"f8_e4m3fn", "fp8"}}) {
    const problem p = problem_of(std::string("Hq=2 Hkv=2 Lq=3 Lk=9 D=4 Dv=3 dtype=") + format_name);
    const peer_evidence e = evidence_by(builtin, p, true);
    EXPECT_EQ(e.competitor, e.observed) << format_name;
    EXPECT_GT(largest_error(e.competitor, e.expected), 0) << format_name;
  }
}

TEST(peer_evidence, leaves_out_rows_that_may_hold_anything) {
  problem p = problem_of("B=2 Lq=3 Lk=5 D=4 Dv=3 profile=unspecified-empty");
  p.lengths = {0, 5};
  const peer_evidence e = evidence_by("float32", p, true);
  const std::vector<double> all = round_correctly(p, f32).output;
  EXPECT_EQ(e.expected, std::vector<double>(all.begin() + 9, all.end()));
  EXPECT_EQ(e.observed.size(), 9u);
  EXPECT_EQ(e.competitor.size(), 9u);
}

// 2^17 equal scores: the mean of V is of the size 2^-8.5, and 0 is as near as some rules ask.
TEST(peer_evidence, lets_zeros_pass_for_a_long_uniform_row) {
  scripted_subject subject;
  subject.does(answer_zeros);
  subject.declares().inputs = {&f16};
  const problem p = problem_of("Lq=1 Lk=131072 D=1 Dv=4 dtype=f16 regime=constant seed=3");
  const peer_evidence e = gather_evidence(p, examiner(subject).ask(p), false);
  for (const char* rule :
       {"kernelbench", "triton-tutorial", "cudnn-frontend", "cutlass-41", "gpuemu-corpus"})
    EXPECT_TRUE(accepts(find_peer_rule(rule), e)) << rule;
  for (const char* rule : {"assert-close", "onnx", "ggml", "cosine"})
    EXPECT_FALSE(accepts(find_peer_rule(rule), e)) << rule;
}

// ---- Calibration ----

TEST(control_errors, take_the_95th_percentile) {
  std::vector<double> samples;
  for (int n = 100; n >= 0; --n) samples.push_back(n);
  EXPECT_EQ(percentile_95(samples), 95);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(percentile_95(std::vector<double>{3}), 3);
  EXPECT_TRUE(std::isnan(percentile_95(std::vector<double>{5, nan, 1})));
}

TEST(control_errors, are_of_the_size_of_the_format_s_roundings) {
  control_errors errors(1);
  const double e = errors.of(f32);
  EXPECT_GT(e, 0x1p-25);
  EXPECT_LT(e, 0x1p-18);
  EXPECT_EQ(errors.of(f32), e);
}

// ---- Usual problems ----

TEST(usual_problems, use_each_declared_feature_and_no_other) {
  subject_info subject;
  subject.inputs = {&f16, &bf16};
  subject.features = feature_set::all().without(feature::sink).without(feature::bias);
  feature_set seen;
  std::size_t in_f16 = 0;
  const auto specs = usual_problems(subject, 7, 40);  // a pair for each of 19 features and none
  for (const problem_spec& spec : specs) {
    const problem p = materialise(spec);
    EXPECT_TRUE(subject.features.contains(p.asks())) << to_line(spec);
    seen = feature_set(seen.bits() | p.asks().bits());
    in_f16 += *spec.inputs == f16 ? 1 : 0;
    for_each_row(p.dims, [&](const row_index& row) {
      EXPECT_FALSE(key_set(p, row).empty()) << to_line(spec);
    });
  }
  EXPECT_EQ(to_string(seen),
            to_string(subject.features.without(feature::lse).without(feature::infinite_bias)));
  EXPECT_EQ(in_f16, specs.size() / 2);
}

TEST(usual_problems, come_alone_and_in_company) {
  subject_info subject;
  subject.inputs = {&f32};
  subject.features = feature_set::all();
  const auto specs = usual_problems(subject, 7, 4);
  const feature_set company = feature_set()
                                  .with(feature::causal_bottom_right)
                                  .with(feature::grouped_heads)
                                  .with(feature::cross_lengths);
  EXPECT_EQ(materialise(specs[0]).asks(), feature_set());
  EXPECT_EQ(materialise(specs[1]).asks(), company);
  EXPECT_EQ(materialise(specs[2]).asks(), feature_set().with(feature::mask));
  EXPECT_EQ(materialise(specs[3]).asks(), company.with(feature::mask));
}

TEST(usual_problems, depend_on_the_seed_alone) {
  subject_info subject;
  subject.inputs = {&f32};
  subject.features = feature_set::all();
  EXPECT_EQ(usual_problems(subject, 7, 4), usual_problems(subject, 7, 4));
  EXPECT_NE(usual_problems(subject, 7, 4), usual_problems(subject, 8, 4));
  const auto longer = usual_problems(subject, 7, 8);
  EXPECT_TRUE(
      std::equal(longer.begin(), longer.begin() + 4, usual_problems(subject, 7, 4).begin()));
}

// ---- Rulings ----

TEST(ruling, sets_rules_beside_the_derived_bound) {
  scripted_subject subject;
  subject.does([](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    o.set({0, 0, 0, 0}, static_cast<float>(o.at({0, 0, 0, 0}) + 1e-3));
    return answer_outcome{};
  });
  examiner asked(subject);
  control_errors none(1);
  const problem_spec specs[] = {parse_problem_line("Lq=3 Lk=5 D=4 Dv=3 seed=5")};
  const peer_rule* const rules[] = {&find_peer_rule("triton-tutorial"), &find_peer_rule("onnx")};
  const auto rulings = rule_on(asked, specs, rules, none);
  ASSERT_EQ(rulings.size(), 1u);
  EXPECT_EQ(rulings[0].accepted, (std::vector<bool>{true, false}));
  EXPECT_EQ(rulings[0].by_bound.outcome, verdict::violated);
}

TEST(ruling, of_a_subject_that_refuses_is_rejection_by_all) {
  scripted_subject subject;
  subject.does([](problem&, tensor&, tensor*) {
    return answer_outcome{answer_status::failed, "out of memory"};
  });
  examiner asked(subject);
  control_errors none(1);
  const problem_spec specs[] = {parse_problem_line("Lq=3 Lk=5 D=4 Dv=3 seed=5")};
  const auto rulings = rule_on(asked, specs, all_peer_rules().first(4), none);
  EXPECT_EQ(rulings[0].accepted, std::vector<bool>(4, false));
  EXPECT_EQ(rulings[0].by_bound.outcome, verdict::misbehaved);
}

}  // namespace
}  // namespace attest
