// The gate with more seeds and more effort: it must neither miss a mutant nor blame what is right.
#include <gtest/gtest.h>

#include "reference/backends/backend.h"
#include "tests/properties/caught.h"
#include "tests/properties/gate.h"

namespace attest {
namespace {

constexpr std::uint64_t seeds[] = {default_seed, 1, 2, 3, 4};

class long_gate : public testing::TestWithParam<std::string> {};

std::string name_of_parameter(const testing::TestParamInfo<std::string>& info) {
  return test_name(info.param);
}

void expect_holds(const std::string& address, int effort) {
  for (const std::uint64_t seed : seeds) {
    const run_result r = run_gate(address, {.seed = seed, .effort = effort});
    EXPECT_EQ(r.exit_code(), 0) << "seed " << seed << ", effort " << effort << ": " << findings(r);
  }
}

class subject_plugin : public long_gate {};
TEST_P(subject_plugin, holds_at_effort_10) {
  expect_holds(plugin_address("subjects", GetParam()), 10);
}
INSTANTIATE_TEST_SUITE_P(every, subject_plugin, testing::ValuesIn(plugins_in("subjects")),
                         name_of_parameter);

class equivalent_plugin : public long_gate {};
TEST_P(equivalent_plugin, holds_at_effort_1) {
  expect_holds(plugin_address("equivalents", GetParam()), 1);
}
INSTANTIATE_TEST_SUITE_P(every, equivalent_plugin, testing::ValuesIn(plugins_in("equivalents")),
                         name_of_parameter);

class control_plugin : public long_gate {};
TEST_P(control_plugin, holds_at_effort_1) {
  expect_holds(plugin_address("controls", GetParam()), 1);
}
TEST_P(control_plugin, holds_at_effort_10) {
  expect_holds(plugin_address("controls", GetParam()), 10);
}
INSTANTIATE_TEST_SUITE_P(every, control_plugin, testing::ValuesIn(plugins_in("controls")),
                         name_of_parameter);

std::vector<std::string> backend_names() { return {all_backends().begin(), all_backends().end()}; }

class builtin_subject_of_the_list : public long_gate {};
TEST_P(builtin_subject_of_the_list, holds_at_effort_1) { expect_holds("builtin:" + GetParam(), 1); }
INSTANTIATE_TEST_SUITE_P(every, builtin_subject_of_the_list, testing::ValuesIn(backend_names()),
                         name_of_parameter);

class mutant_plugin : public long_gate {};

TEST_P(mutant_plugin, is_caught_with_every_seed) {
  for (const std::uint64_t seed : seeds)
    EXPECT_TRUE(is_caught(plugin_address("mutants", GetParam()), law_for(GetParam()), seed))
        << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(every, mutant_plugin, testing::ValuesIn(plugins_in("mutants")),
                         name_of_parameter);

}  // namespace
}  // namespace attest
