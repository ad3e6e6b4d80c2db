// Every law on the controls of other members, and five seeds on their mutants.
#include <gtest/gtest.h>

#include "tests/properties/caught.h"
#include "tests/properties/members_gate.h"

namespace attest {
namespace {

class member_plugin : public testing::TestWithParam<std::string> {};

TEST_P(member_plugin, holds_every_law_without_its_bug) {
  const run_result r = run_member("controls", GetParam(), "*", default_seed);
  EXPECT_EQ(r.exit_code(), 0) << member_findings(r);
}

TEST_P(member_plugin, is_caught_with_its_bug_whatever_the_seed) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5})
    EXPECT_TRUE(is_caught(member_address("mutants", GetParam()), "matches_definition", seed))
        << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(every, member_plugin, testing::ValuesIn(member_plugins()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace attest
