// The power table on every plugin of the test suite.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <sstream>

#include "properties/peers/power.h"
#include "properties/run.h"
#include "reports/power_report.h"
#include "tests/properties/gate.h"

namespace attest {
namespace {

void add_all(std::string_view folder, subject_openers& list) {
  for (const std::string& name : plugins_in(folder))
    list.push_back([=] { return open_subject(plugin_address(folder, name)); });
}

TEST(power_long, of_attest_is_complete_on_every_plugin) {
  subject_openers wrong, right;
  add_all("mutants", wrong);
  add_all("controls", right);
  add_all("subjects", right);
  const power_table t = compare_power(wrong, right, {default_seed, 4}, {});
  std::ostringstream text;
  write_power_text(text, t);
  EXPECT_TRUE(t.attest.missed.empty()) << text.str();
  EXPECT_TRUE(t.attest.rejected.empty()) << text.str();
  EXPECT_TRUE(t.not_judged.empty()) << text.str();
}

std::string table_on_threads(std::size_t count) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  const auto opener = [](std::string_view folder) {
    return [=] { return open_subject(plugin_address(folder, "causal_anchor")); };
  };
  std::ostringstream out;
  write_power_json(out, compare_power({opener("mutants")}, {opener("controls")}, {1, 2}, {}));
  return out.str();
}

TEST(power_long, does_not_depend_on_the_number_of_threads) {
  EXPECT_EQ(table_on_threads(3), table_on_threads(1));
}

}  // namespace
}  // namespace attest
