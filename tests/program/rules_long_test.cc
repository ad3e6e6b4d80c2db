// Other suites' rules on the command line, where that takes a minute: side by side with the bound,
// and twice.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program/expectations.h"

namespace attest {
namespace {

std::string plugin(const std::string& folder, const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/" + folder + "/" + name + ".so";
}

TEST(program, check_by_a_rule_draws_other_problems_with_another_seed) {
  const auto told_with = [](const std::string& seed) {
    return expect_exit(
               0, {"check", plugin("subjects", "minimal"), "--rule", "torch-sdpa", "--seed", seed})
        .out;
  };
  EXPECT_NE(told_with("1"), told_with("2"));
}

TEST(program, check_by_a_rule_rejects_right_answers_where_the_rule_does) {
  expect_exit(1, {"check", plugin("subjects", "minimal"), "--rule", "kernelbench"},
              {"0 problems of these, attest's bound proves wrong"});
}

// A folder with one plugin, and a file that is none.
std::string folder_with(const std::string& plugin_path) {
  const std::string folder = scratch_file("right");
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(plugin_path, folder + "/kernel.so");
  write_contents(folder + "/notes.txt", "not a plugin\n");
  return folder;
}

TEST(program, power_shows_every_rule_and_passes_where_attest_is_right) {
  const std::string path = scratch_file("power.json");
  const finished_program p = expect_exit(
      0,
      {"power", "--wrong", plugin("mutants", "gqa_tile"), "--right",
       folder_with(plugin("controls", "gqa_tile")), "--problems", "1", "--property", "matches*",
       "--report", path},
      {"1 wrong subject, 1 right one", "| kernelbench |", "| attest | - | - | 0 | 0 |"});
  EXPECT_EQ(p.err, "") << "progress is for terminals";
  const auto report = nlohmann::json::parse(contents_of(path));
  EXPECT_EQ(report["rules"].size(), 18u) << "17 and the derived bound";
  EXPECT_EQ(report["wrong"], nlohmann::json({"gqa-tile"}));
  EXPECT_EQ(report["attest"]["missed"], nlohmann::json::array());
}

TEST(program, power_fails_where_attest_misses_and_rejects) {
  expect_exit(1,
              {"power", "--wrong", plugin("controls", "gqa_tile"), "--right",
               plugin("mutants", "gqa_tile"), "--problems", "1", "--property", "matches*"},
              {"| attest | - | - | 1 | 1 |", "\n  attest: gqa-tile\n"});
}

}  // namespace
}  // namespace attest
