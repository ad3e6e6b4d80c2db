// Every law on every right plugin of linear attention, with five seeds.
#include <gtest/gtest.h>

#include "tests/properties/recurrence/recurrence_gate.h"

namespace attest {
namespace {

using place = std::pair<std::string, std::string>;

class right_recurrence : public testing::TestWithParam<place> {};

TEST_P(right_recurrence, holds_with_five_seeds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const recurrence_result r =
        run_recurrence(GetParam().first, GetParam().second, "*", seed, stops::at_the_end);
    EXPECT_EQ(r.outcome(), verdict::holds) << "seed " << seed << "\n" << recurrence_findings(r);
  }
}

std::vector<place> all_of_them() {
  std::vector<place> all;
  for (const std::string& name : names_in(ATTEST_PLUGINS_recurrences))
    all.emplace_back("recurrences", name);
  for (const std::string& name : names_in(ATTEST_PLUGINS_recurrence_controls))
    all.emplace_back("recurrence_controls", name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(every, right_recurrence, testing::ValuesIn(all_of_them()),
                         [](const auto& each) {
                           return each.param.first + "_" + each.param.second;
                         });

}  // namespace
}  // namespace attest
