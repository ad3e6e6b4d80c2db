// Calls of a shape that is given: parsed, drawn, judged by samples.
#include "properties/real_shape.h"

#include <gtest/gtest.h>

#include <atomic>

#include "properties/run.h"
#include "reference/input_error.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

TEST(parse_shape, takes_any_of_the_seven_sizes) {
  const shape s = parse_shape("B=2,Hq=8,Hkv=4,Lq=5,Lk=6,D=7,Dv=3");
  EXPECT_TRUE((s == shape{2, 8, 4, 5, 6, 7, 3}));
  EXPECT_TRUE((parse_shape("Lk=4096") == shape{.keys = 4096}));
}

TEST(parse_shape, refuses_what_is_no_shape) {
  for (const char* text : {"", "L=3", "Lk", "Lk=", "Lk=-1", "Hq=3,Hkv=2", "Lk=2,Lk=3", "causal=1",
                           "Lk=2 Lq=3", "Lk=2,"})
    EXPECT_THROW(parse_shape(text), input_error) << text;
}

run_result run_shape(scripted_subject& s, const char* text) {
  run_options options;
  options.dims = parse_shape(text);
  return run_properties(s, options, {});
}

constexpr const char* some = "B=2,Hq=4,Hkv=2,Lq=96,Lk=160,D=16,Dv=8";

TEST(real_shape, holds_where_the_answer_is_right_and_asks_once_a_problem) {
  scripted_subject right;
  std::atomic<int> asked = 0;
  right.does([&](problem& p, tensor& o, tensor* lse) {
    ++asked;
    EXPECT_TRUE(p.dims == parse_shape(some));
    return scripted_subject::answer_rightly(p, o, lse);
  });
  const run_result r = run_shape(right, some);
  EXPECT_EQ(r.exit_code(), 0);
  EXPECT_EQ(asked, 4);
  ASSERT_EQ(r.groups.size(), 1u);
  EXPECT_EQ(r.groups.front().problems, 4);
  EXPECT_GT(r.groups.front().judged, 4 * 2 * 4 * 90 * 8) << "every output";
}

// Wrong in one row of 768: samples may miss it, the hull does not.
TEST(real_shape, an_output_outside_the_values_is_found_wherever_it_is) {
  scripted_subject wrong;
  wrong.does([&](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    o.set({1, 2, 57, 3}, 1e6);
    return answer_outcome{};
  });
  EXPECT_EQ(run_shape(wrong, some).outcome(), verdict::improbable);
}

TEST(real_shape, weights_that_do_not_sum_to_1_are_found_wherever_they_are) {
  scripted_subject wrong;
  wrong.does([&](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    o.set({1, 2, 57, 7}, o.at({1, 2, 57, 7}) * 0.875);
    return answer_outcome{};
  });
  EXPECT_TRUE(is_failure(run_shape(wrong, some).outcome()));
}

// Inside the hull, and wrong in a head: proved by the rows that are sampled.
TEST(real_shape, a_head_that_is_another_is_proved_wrong_and_shown_with_the_shape) {
  scripted_subject wrong;
  wrong.does([&](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    for (std::int64_t i = 0; i < p.dims.queries; ++i)
      for (std::int64_t d = 0; d < p.dims.value_width; ++d) o.set({1, 3, i, d}, o.at({1, 2, i, d}));
    return answer_outcome{};
  });
  const run_result r = run_shape(wrong, some);
  EXPECT_EQ(r.outcome(), verdict::violated);
  ASSERT_TRUE(r.groups.front().failure);
  EXPECT_NE(r.groups.front().failure->replay.find(
                "sampled_rows_match_definition B=2 Hq=4 Hkv=2 Lq=96 Lk=160 D=16 Dv=8"),
            std::string::npos)
      << r.groups.front().failure->replay;
}

TEST(real_shape, a_shape_that_the_subject_does_not_declare_is_bad_input) {
  scripted_subject plain{feature_set()};
  EXPECT_THROW(run_shape(plain, "Hq=2"), input_error);
  EXPECT_THROW(run_shape(plain, "Lk=2"), input_error);
  EXPECT_THROW(run_shape(plain, "D=2"), input_error);
  EXPECT_EQ(run_shape(plain, "Lq=8,Lk=8,D=4,Dv=4").exit_code(), 0);
}

}  // namespace
}  // namespace attest
