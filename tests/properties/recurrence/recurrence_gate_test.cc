// The laws of linear attention on plugins: each form of it holds, each mutant is caught.
#include "tests/properties/recurrence/recurrence_gate.h"

#include <gtest/gtest.h>

namespace attest {
namespace {

std::string name_of_case(const testing::TestParamInfo<std::string>& each) { return each.param; }

// ---- Right ones ----

class recurrence_form : public testing::TestWithParam<std::string> {};

TEST_P(recurrence_form, holds) {
  const recurrence_result r =
      run_recurrence("recurrences", GetParam(), "*", default_seed, stops::at_the_end);
  EXPECT_EQ(r.exit_code(), 0) << recurrence_findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, recurrence_form,
                         testing::ValuesIn(names_in(ATTEST_PLUGINS_recurrences)), name_of_case);

// ---- Mutants ----

class recurrence_mutant : public testing::TestWithParam<std::string> {};

TEST_P(recurrence_mutant, is_caught_with_five_seeds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const recurrence_result r =
        run_recurrence("recurrence_mutants", GetParam(), "*", seed, stops::at_failure);
    EXPECT_EQ(r.outcome(), verdict::violated) << "seed " << seed << "\n" << recurrence_findings(r);
  }
}

INSTANTIATE_TEST_SUITE_P(every, recurrence_mutant,
                         testing::ValuesIn(names_in(ATTEST_PLUGINS_recurrence_mutants)),
                         name_of_case);

// A sample for the short tests; recurrence_gate_long_test.cc leaves none out.
class recurrence_control : public testing::TestWithParam<std::string> {};

TEST_P(recurrence_control, holds_without_its_bug) {
  const recurrence_result r = run_recurrence("recurrence_controls", GetParam(),
                                             "matches_definition", default_seed, stops::at_failure);
  EXPECT_EQ(r.outcome(), verdict::holds) << recurrence_findings(r);
}

std::vector<std::string> one_in_eight() {
  const std::vector<std::string> all = names_in(ATTEST_PLUGINS_recurrence_controls);
  std::vector<std::string> sample;
  for (std::size_t n = 3; n < all.size(); n += 8) sample.push_back(all[n]);
  return sample;
}

INSTANTIATE_TEST_SUITE_P(some, recurrence_control, testing::ValuesIn(one_in_eight()), name_of_case);

}  // namespace
}  // namespace attest
