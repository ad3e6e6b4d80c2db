// Which verdict wins, and that nothing undecided passes.
#include "properties/verdict.h"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

constexpr verdict all[] = {verdict::holds,      verdict::undecided, verdict::unsupported,
                           verdict::improbable, verdict::violated,  verdict::misbehaved,
                           verdict::crashed,    verdict::timed_out};

TEST(verdict, fails_a_gate_when_something_was_found) {
  for (verdict v : all) {
    const bool quiet = v == verdict::holds || v == verdict::undecided || v == verdict::unsupported;
    EXPECT_EQ(is_failure(v), !quiet) << name_of(v);
  }
}

TEST(verdict, has_a_name_of_its_own) {
  for (verdict a : all)
    for (verdict b : all) EXPECT_EQ(name_of(a) == name_of(b), a == b);
  for (verdict v : all) EXPECT_NE(name_of(v), "unknown");
}

struct pair_case {
  verdict a, b, both;
  const char* why;
};

TEST(verdict, of_two_is_the_one_that_decides) {
  const pair_case cases[] = {
      {verdict::holds, verdict::holds, verdict::holds, "nothing new"},
      {verdict::holds, verdict::undecided, verdict::holds, "one problem decided is enough to hold"},
      {verdict::holds, verdict::unsupported, verdict::holds, "likewise"},
      {verdict::undecided, verdict::undecided, verdict::undecided, "never a pass by itself"},
      {verdict::undecided, verdict::unsupported, verdict::undecided, "it was asked at least"},
      {verdict::unsupported, verdict::unsupported, verdict::unsupported, "never a pass by itself"},
      {verdict::holds, verdict::violated, verdict::violated, "a failure over anything"},
      {verdict::undecided, verdict::improbable, verdict::improbable, "a failure over anything"},
      {verdict::unsupported, verdict::misbehaved, verdict::misbehaved, "a failure over anything"},
      {verdict::improbable, verdict::violated, verdict::violated, "proof over probability"},
      {verdict::violated, verdict::misbehaved, verdict::misbehaved, "what broke the call"},
      {verdict::violated, verdict::crashed, verdict::crashed, "what ended the process"},
      {verdict::crashed, verdict::timed_out, verdict::timed_out, "the later on the list"},
  };
  for (const pair_case& c : cases) {
    EXPECT_EQ(worse(c.a, c.b), c.both) << c.why;
    EXPECT_EQ(worse(c.b, c.a), c.both) << c.why << ", the other way round";
  }
}

TEST(verdict, does_not_depend_on_the_order_of_findings) {
  for (verdict a : all)
    for (verdict b : all)
      for (verdict c : all) EXPECT_EQ(worse(worse(a, b), c), worse(a, worse(b, c)));
}

observation seen(double ratio) { return {"o", "output", 0, 0, 0, ratio}; }

TEST(judgement, is_undecided_until_something_is_decided) {
  judgement j;
  EXPECT_EQ(j.outcome, verdict::undecided);
  j.add(seen(1));
  EXPECT_EQ(j.outcome, verdict::holds) << "the bound itself is allowed";
  EXPECT_EQ(j.judged, 1);
}

TEST(judgement, a_ratio_that_is_no_number_is_a_violation) {
  judgement j;
  j.add(seen(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(j.outcome, verdict::violated);
}

TEST(judgement, does_not_recover_from_a_violation) {
  judgement j;
  j.add(seen(1.0000001));
  j.add(seen(0));
  EXPECT_EQ(j.outcome, verdict::violated);
  EXPECT_EQ(j.worst->ratio, 1.0000001);
}

judgement of(std::initializer_list<double> ratios) {
  judgement j;
  for (double ratio : ratios) j.add(seen(ratio));
  return j;
}

TEST(judgement, of_parts_is_that_of_all_that_they_looked_at) {
  judgement j;
  j.add(of({0.5, 0.25}));
  EXPECT_EQ(j.outcome, verdict::holds);
  j.add(judgement{});
  j.add(of({0.1, 3}));
  j.add(of({2}));
  EXPECT_EQ(j.outcome, verdict::violated);
  EXPECT_EQ(j.judged, 5);
  EXPECT_EQ(j.worst->ratio, 3);
}

TEST(judgement, of_a_refused_part_says_why) {
  for (const bool first : {true, false}) {
    judgement j;
    if (!first) j.add(of({0.5}));
    j.add(misbehaved("wrote nothing"));
    if (first) j.add(of({0.5}));
    EXPECT_EQ(j.outcome, verdict::misbehaved);
    EXPECT_EQ(j.reason, "wrote nothing");
  }
  judgement none;
  none.add(unsupported("too long"));
  EXPECT_EQ(none.outcome, verdict::unsupported);
}

}  // namespace
}  // namespace attest
