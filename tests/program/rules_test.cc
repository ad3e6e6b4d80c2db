// Other suites' rules on the command line, in place of the bound.
#include <gtest/gtest.h>

#include <regex>

#include "tests/program/expectations.h"

namespace attest {
namespace {

std::string plugin(const std::string& folder, const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/" + folder + "/" + name + ".so";
}

TEST(program, check_by_a_rule_says_what_it_lets_through) {
  const finished_program p =
      expect_exit(1, {"check", plugin("mutants", "split_remainder"), "--rule", "cutlass-41"},
                  {"Judged by the rule cutlass-41, not by the bound that attest derives", "accepts",
                   "CUTLASS, examples/41_fused_multi_head_attention", "exit code 1"});
  std::smatch replay;
  ASSERT_TRUE(std::regex_search(p.out, replay,
                                std::regex("proves wrong\n +first: attest replay '([^']+)'")))
      << p.out;
  expect_exit(1, {"replay", replay[1]}, {"violated"});
}

TEST(program, check_by_a_rule_passes_where_the_rule_accepts_everything) {
  expect_exit(
      0, {"check", plugin("subjects", "minimal"), "--rule", "torch-sdpa"},
      {"0 problems of these, attest's bound proves wrong", "rejected   0 problems", "exit code 0"});
}

TEST(program, refuses_rules_that_are_not_on_the_list_or_not_alone) {
  const std::string subject = "builtin:float32";
  expect_bad_input({"check", subject, "--rule", "mine"}, {"'mine'", "allowed: assert-close, onnx"});
  expect_bad_input({"check", subject, "--rule", "onnx", "--property", "rows*"}, {"--property"});
  expect_bad_input({"check", subject, "--rule", "onnx", "--report", "r.json"}, {"--report"});
  expect_bad_input({"check", subject, "--rule", "onnx", "--require", "mask"}, {"--require"});
}

TEST(program, power_refuses_what_it_cannot_open) {
  const std::string subject = "builtin:float32";
  expect_bad_input({"power", "--wrong", subject}, {"--right"});
  expect_bad_input({"power", "--wrong", "/no/such.so", "--right", subject}, {"/no/such.so"});
  expect_bad_input({"power", "--wrong", ATTEST_PLUGIN_FOLDER, "--right", subject},
                   {ATTEST_PLUGIN_FOLDER, "holds no plugin"});
  expect_bad_input({"power", "--wrong", subject, "--right", subject, "--problems", "0"},
                   {"--problems", "0"});
}

}  // namespace
}  // namespace attest
