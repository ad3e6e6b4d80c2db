// The law of mean errors on evaluations that truncate where their contract rounds to nearest.
#include <gtest/gtest.h>

#include "derivation/bounds/bias.h"
#include "properties/property.h"
#include "reference/backends/staged.h"
#include "reference/contract/presets.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

using change = void (*)(contract&);

// What the law says of an evaluation of the format's default contract after the change.
judgement judged(const format& inputs, change altered, std::uint64_t seed) {
  scripted_subject wrong;
  wrong.declares().inputs = {&inputs};
  wrong.does([&](problem& p, tensor& o, tensor* lse) {
    contract c = default_contract(inputs);
    altered(c);
    evaluate_staged(c, {evaluation_order::online, 16}, p, o, lse);
    return answer_outcome{};
  });
  problem_spec spec;
  spec.inputs = &inputs;
  spec.seed = seed;
  const property& law = find_property("errors_average_out");
  examiner subject(wrong);
  return law.judge(*law.adapt(spec, wrong.info()), subject);
}

const format* const formats[] = {&f16, &bf16};

TEST(errors_average_out, where_the_contract_is_kept) {
  for (const format* inputs : formats)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const judgement j = judged(
          *inputs, [](contract&) {}, seed);
      EXPECT_EQ(j.outcome, verdict::holds) << inputs->name << ", ratio " << j.worst_ratio;
    }
}

TEST(errors_average_out, not_where_the_output_is_truncated) {
  for (const format* inputs : formats)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(judged(
                    *inputs, [](contract& c) { c.output_mode = rounding_mode::to_zero; }, seed)
                    .outcome,
                verdict::improbable)
          << inputs->name;
}

TEST(errors_average_out, not_where_the_output_is_rounded_down) {
  for (const format* inputs : formats)
    EXPECT_EQ(judged(
                  *inputs, [](contract& c) { c.output_mode = rounding_mode::down; }, 1)
                  .outcome,
              verdict::improbable)
        << inputs->name;
}

// Numerator and denominator then use weights that differ to one side.
TEST(errors_average_out, not_where_stored_weights_are_truncated) {
  for (const format* inputs : formats)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(
          judged(
              *inputs, [](contract& c) { c.weight_storage.mode = rounding_mode::to_zero; }, seed)
              .outcome,
          verdict::improbable)
          << inputs->name;
}

TEST(errors_average_out, says_nothing_where_the_contract_itself_may_lean_to_one_side) {
  EXPECT_TRUE(errors_average_out_under(find_contract("fp16-flash")));
  EXPECT_TRUE(errors_average_out_under(find_contract("bf16-flash")));
  for (const char* name : {"float32", "float64", "tf32", "fp8-flash", "bf16-eager"})
    EXPECT_FALSE(errors_average_out_under(find_contract(name))) << name;
  contract truncating = find_contract("bf16-flash");
  truncating.output_mode = rounding_mode::to_zero;
  EXPECT_FALSE(errors_average_out_under(truncating));
}

}  // namespace
}  // namespace attest
