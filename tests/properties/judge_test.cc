// Classes before distances, and what a bound may decide.
#include "properties/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/contract/presets.h"
#include "reference/problems/problem_spec.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();
const double largest = largest_finite(f32);

struct element_case {
  due expected;
  double observed;
  verdict outcome;
  double ratio;  // of decided ones
  const char* why;
};

const std::vector<element_case>& element_cases() {
  constexpr auto holds = verdict::holds, violated = verdict::violated,
                 undecided = verdict::undecided;
  static const std::vector<element_case> cases{
      {{{1, 0, 0}, 0.25}, 1, holds, 0, "equal"},
      {{{1, 0, 0}, 0.25}, 1.125, holds, 0.5, "half the bound away"},
      {{{1, 0, 0}, 0.25}, 0.875, holds, 0.5, "on either side"},
      {{{1, 0, 0}, 0.25}, 1.5, violated, 2, "twice the bound away"},
      {{{1, 0x1p-60, 0}, 0}, 1, violated, infinity, "the low part counts"},
      {{{1, 0, 0}, 0}, 1, holds, 0, "a bound of 0 asks for equality"},
      {{{1, 0, 0}, 0}, 1 + 0x1p-52, violated, infinity, "a bound of 0 forgives nothing"},
      {{{0, 0, 0}, 0}, -0.0, holds, 0, "-0 equals 0"},
      {{{0, 0, 0}, 0}, 0x1p-1074, violated, infinity, "the smallest number is not 0"},

      {{{1, 0, 0}, 0.25}, nan, violated, infinity, "NaN for a number"},
      {{{1, 0, 0}, infinity}, nan, violated, infinity, "NaN for a number, whatever the bound"},
      {{{1, 0, 0}, infinity, 1},
       nan,
       violated,
       infinity,
       "a vacuous bound does not excuse the class"},
      {{{1, 0, 0}, 0.25}, infinity, violated, infinity, "infinity for a number"},
      {{{1, 0, 0}, 0.25}, -infinity, violated, infinity, "infinity for a number"},
      {{{nan, 0, 0}, 0}, nan, holds, 0, "NaN where it is due"},
      {{{nan, 0, 0}, 1}, 0, violated, infinity, "a number where NaN is due"},
      {{{nan, 0, 0}, 1}, infinity, violated, infinity, "infinity where NaN is due"},
      {{{infinity, 0, 0}, 0}, infinity, holds, 0, "infinity where it is due"},
      {{{-infinity, 0, 0}, 0}, -infinity, holds, 0, "infinity where it is due"},
      {{{-infinity, 0, 0}, 0}, infinity, violated, infinity, "the other infinity"},
      {{{-infinity, 0, 0}, 1}, -1e30, violated, infinity, "a sentinel for infinity"},
      {{{infinity, 0, 0}, 1}, nan, violated, infinity, "NaN for infinity"},

      {{{largest, 0, 0}, 1e30, 0, &f32}, infinity, holds, 0, "may overflow the format"},
      {{{-largest, 0, 0}, 1e30, 0, &f32}, -infinity, holds, 0, "may overflow the format"},
      {{{-largest, 0, 0}, 1e30, 0, &f32}, infinity, violated, infinity, "to its own side only"},
      {{{largest / 2, 0, 0}, 1e30, 0, &f32}, infinity, violated, infinity, "too small to overflow"},
      {{{60000, 0, 0}, 6000, 0, &f16}, infinity, holds, 0, "may overflow a narrow format"},
      {{{60000, 0, 0}, 6000, 0, &bf16}, infinity, violated, infinity, "but not a wide one"},

      {{{1, 0, 0}, 0.5, 1},
       1,
       undecided,
       0,
       "a bound of half the hull says nothing, even of an equal value"},
      {{{1, 0, 0}, 0.5, 1}, 1.4, undecided, 0, "nor of a near one"},
      {{{1, 0, 0}, 0.5, 1}, 1.75, violated, 1.5, "but what it forbids is wrong"},
      {{{1, 0, 0}, 0.25, 1}, 1.125, holds, 0.5, "the edge of what decides"},
      {{{1, 0, 0}, 0.5, 0}, 1.25, holds, 0.5, "no scale: the bound always decides"},
      {{{1, 0, 0}, infinity, 1}, 1e30, undecided, 0, "an infinite bound"},
      {{{1, 0, 0}, nan, 1}, 1, undecided, 0, "a bound that is no number decides nothing"},
      {{{1, 0, 0.125}, 0.25}, 1.25, undecided, 0, "the reference itself is not certain enough"},
      {{{1, 0, 0.125}, 0.25}, 1.5, violated, 1.5, "certainly too far: 0.5 - 0.125"},
      {{{1, 0, 0.125}, 0.25}, 1.0625, holds, 0.75, "certainly near: 0.0625 + 0.125"},
      {{{1, 0, infinity}, 0.25}, 1e9, undecided, 0, "a reference that knows nothing"},
  };
  return cases;
}

TEST(judge_element, compares_classes_then_distances) {
  for (const element_case& c : element_cases()) {
    judgement j;
    judge_element(j, c.expected, c.observed, "o", "output");
    EXPECT_EQ(j.outcome, c.outcome)
        << c.why << ": " << c.observed << " for " << c.expected.value.high;
    EXPECT_EQ(j.judged, c.outcome == verdict::undecided ? 0 : 1) << c.why;
    EXPECT_EQ(j.undecided, c.outcome == verdict::undecided ? 1 : 0) << c.why;
    EXPECT_TRUE(j.worst_ratio == c.ratio || std::fabs(j.worst_ratio - c.ratio) < 1e-12)
        << c.why << ": " << j.worst_ratio << " for " << c.ratio;
  }
}

TEST(judge_element, remembers_the_worst) {
  judgement j;
  judge_element(j, {{1, 0, 0}, 0.25}, 1.0625, "o[0]", "output");
  judge_element(j, {{1, 0, 0}, 0.25}, 1.1875, "o[1]", "output");
  judge_element(j, {{1, 0, 0}, 0.25}, 1.125, "o[2]", "output");
  ASSERT_TRUE(j.worst);
  EXPECT_EQ(j.worst->where, "o[1]");
  EXPECT_EQ(j.worst->observed, 1.1875);
  EXPECT_EQ(j.worst->expected, 1);
  EXPECT_EQ(j.worst->bound, 0.25);
  EXPECT_EQ(j.judged, 3);
}

TEST(judge_element, a_violation_stays_whatever_comes_after) {
  judgement j;
  judge_element(j, {{1, 0, 0}, 0.25}, 2, "o[0]", "output");
  judge_element(j, {{1, 0, 0}, 0.25}, 1, "o[1]", "output");
  judge_element(j, {{1, 0, 0}, 9, 1}, 1, "o[2]", "output");
  EXPECT_EQ(j.outcome, verdict::violated);
}

// ---- A whole answer ----

problem problem_of(std::string_view line) { return materialise(parse_problem_line(line)); }

answer right_answer(const problem& p) {
  scripted_subject subject;
  return examiner(subject).ask(p);
}

judgement judged(const problem& p, const answer& a) {
  return judge_answer(p, a, {find_contract("float32"), {}});
}

constexpr std::string_view some_problem = "B=2 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 mask=bqk seed=5";

TEST(judge_answer, a_right_one_holds_and_every_element_is_counted) {
  const problem p = problem_of(some_problem);
  const judgement j = judged(p, right_answer(p));
  EXPECT_EQ(j.outcome, verdict::holds);
  EXPECT_EQ(j.rows, 2 * 2 * 3);
  EXPECT_EQ(j.judged + j.undecided, 2 * 2 * 3 * (3 + 1));
  EXPECT_GT(j.judged, j.undecided);
  EXPECT_LE(j.worst_ratio, 1);
}

TEST(judge_answer, any_one_wrong_element_is_found_and_named) {
  const problem p = problem_of(some_problem);
  for_each_index(p.dims.o_sizes(), [&](const index4& i) {
    answer a = right_answer(p);
    a.o.set(i, static_cast<float>(a.o.at(i) + 0.01));
    const judgement j = judged(p, a);
    EXPECT_EQ(j.outcome, verdict::violated);
    EXPECT_EQ(j.worst->where, place_of("o", {i[0], i[1], i[2]}, i[3]));
  });
}

TEST(judge_answer, a_wrong_lse_is_found) {
  const problem p = problem_of("Lq=3 Lk=5 D=4 seed=5");
  answer a = right_answer(p);
  a.lse->set({0, 0, 1, 0}, a.lse->at({0, 0, 1, 0}) + 0.25);
  const judgement j = judged(p, a);
  EXPECT_EQ(j.outcome, verdict::violated);
  EXPECT_EQ(j.worst->where, "lse[b=0,h=0,i=1]");
}

struct empty_row_case {
  std::string_view profile;
  double output, lse;
  verdict outcome;
  const char* why;
};

// Batch rows without a valid key, so that every row is empty.
problem without_keys(std::string_view profile) {
  problem p = problem_of(std::string("Lq=1 Lk=3 D=2 Dv=2 profile=").append(profile));
  p.lengths = {0};
  return p;
}

TEST(judge_answer, an_empty_row_is_held_to_its_profile) {
  const empty_row_case cases[] = {
      {"attest", 0, -infinity, verdict::holds, "as declared"},
      {"attest", 1, -infinity, verdict::violated, "no key has a value to show"},
      {"attest", nan, -infinity, verdict::violated, "NaN"},
      {"attest", 0, -1e30, verdict::violated, "a sentinel in the lse"},
      {"attest", 0, infinity, verdict::violated, "the other sign"},
      {"torch-sdpa", nan, 7, verdict::holds, "NaN, and any lse"},
      {"torch-sdpa", 0, 7, verdict::violated, "0 where NaN is declared"},
      {"flash-attention-2", 0, infinity, verdict::holds, "+inf"},
      {"flash-attention-2", 0, -infinity, verdict::violated, "-inf"},
      {"unspecified-empty", 7, 7, verdict::undecided, "nothing to compare is no pass"},
  };
  for (const empty_row_case& c : cases) {
    const problem p = without_keys(c.profile);
    answer a = right_answer(p);
    for (std::int64_t d = 0; d < 2; ++d) a.o.set({0, 0, 0, d}, c.output);
    a.lse->set({0, 0, 0, 0}, static_cast<float>(c.lse));
    EXPECT_EQ(judged(p, a).outcome, c.outcome) << c.profile << ": " << c.why;
  }
}

TEST(judge_answer, a_row_that_overflows_a_stage_is_counted_and_not_judged) {
  problem p = problem_of("Lq=1 Lk=2 D=2 dtype=f32 seed=1");
  for (std::int64_t t = 0; t < 2; ++t) {
    p.q.set({0, 0, 0, t}, 0x1p100);
    p.k.set({0, 0, 1, t}, 0x1p100);
  }
  const judgement j = judged(p, right_answer(p));
  EXPECT_EQ(j.out_of_domain, 1);
  EXPECT_EQ(j.judged, 0);
  EXPECT_EQ(j.outcome, verdict::undecided);
}

}  // namespace
}  // namespace attest
