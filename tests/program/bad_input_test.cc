// What the program says to misuse: what was given, what is allowed, in one line; exit code 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;

std::string hostile(const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/hostile/" + name + ".so";
}
const std::string minimal = ATTEST_PLUGIN_FOLDER "/subjects/minimal.so";

struct bad_case {
  words given;
  words parts;
};

void expect_all(const std::vector<bad_case>& cases) {
  for (const bad_case& c : cases) expect_bad_input(c.given, c.parts);
}

TEST(program, refuses_command_lines_that_are_none) {
  expect_all({
      {{}, {"no subcommand given", "allowed: audit, check, compare, corpus"}},
      {{"jury"}, {"jury"}},
      {{"check"}, {"SUBJECT"}},
      {{"check", "builtin:float32", "--nonsense"}, {"--nonsense"}},
      {{"check", "builtin:float32", "--seed"}, {"--seed"}},
      {{"check", "builtin:float32", "builtin:float64"}, {"builtin:float64"}},
      {{"--nonsense"}, {"--nonsense"}},
      {{"explain"}, {"NAME"}},
      {{"replay"}, {"LINE"}},
      {{"reference"}, {"--in"}},
  });
}

TEST(program, refuses_subjects_that_are_not_there) {
  expect_all({
      {{"check", "/no/such/plugin.so"}, {"/no/such/plugin.so", "no such file"}},
      {{"check", "nonsense"}, {"nonsense", "no such file"}},
      {{"check", ""}, {"plugin"}},
      {{"check", "/tmp"}, {"/tmp"}},
      {{"check", minimal + ":nope"}, {"'nope'", "allowed: minimal"}},
      {{"check", minimal + ":"}, {"minimal.so", "allowed"}},
      {{"check", "builtin:nonsense"}, {"'nonsense'", "allowed: float64, float32"}},
      {{"check", "builtin:"}, {"''", "allowed: float64"}},
      {{"check", "builtin:float32/online=0"}, {"online", "0", "allowed: 1 to"}},
      {{"check", "builtin:float32/online=abc"}, {"'abc'", "allowed"}},
      {{"check", "builtin:float32/split-kv=-3"}, {"-3", "allowed"}},
      {{"check", "builtin:float32/two-pass=1"}, {"two-pass takes no size"}},
      {{"check", "builtin:mp50/online"}, {"mp50 takes no order"}},
  });
}

TEST(program, refuses_plugins_that_do_not_keep_the_abi) {
  expect_all({
      {{"check", hostile("no_symbol")}, {"no_symbol.so", "attest_plugin_at"}},
      {{"check", hostile("wrong_abi")}, {"wrong_abi.so", "999", "allowed: 1"}},
      {{"check", hostile("empty")}, {"empty.so", "holds no subject"}},
      {{"check", hostile("no_dtypes")}, {"no-dtypes", "dtype"}},
      {{"check", hostile("null_forward")}, {"null-forward", "no forward"}},
      {{"check", hostile("unknown_feature_bit")}, {"unknown-feature-bit", "feature bits"}},
      {{"check", hostile("unknown_profile")}, {"'no-such-profile'", "allowed: attest"}},
      {{"check", hostile("unknown_contract")}, {"'no-such-contract'", "allowed: float64"}},
      {{"check", hostile("contract_of_others")},
       {"fp16-flash", "f16 inputs", "contract-of-others"}},
      {{"check", hostile("two_contracts")}, {"two contracts about f32", "float32 and tf32"}},
  });
}

TEST(program, refuses_files_that_are_no_library) {
  const std::string text = scratch_file("text.so"), empty = scratch_file("empty.so");
  write_contents(text, "I am no library\n");
  write_contents(empty, "");
  expect_all({{{"check", text}, {text, "can't be loaded"}},
              {{"check", empty}, {empty, "can't be loaded"}}});
}

TEST(program, refuses_properties_that_are_not_in_the_catalogue) {
  expect_all({
      {{"explain", "nonsense"},
       {"'nonsense'", "the properties matches_definition", "rows_sum_to_1",
        "the contracts float64"}},
      {{"explain", ""}, {"''", "the properties matches_definition"}},
      {{"check", "builtin:float32", "--property", "nonsense"},
       {"'nonsense'", "allowed: matches_definition"}},
      {{"check", "builtin:float32", "--property", "x*"}, {"'x*'", "allowed: matches_definition"}},
      {{"check", "builtin:float32", "--property", ""}, {"''", "allowed: matches_definition"}},
      {{"replay", "builtin:float32 nonsense B=1"}, {"'nonsense'", "allowed: matches_definition"}},
  });
}

TEST(program, refuses_numbers_out_of_range) {
  const std::string subject = "builtin:float32";
  expect_all({
      {{"check", subject, "--seed", "abc"}, {"--seed", "'abc'", "allowed"}},
      {{"check", subject, "--seed", ""}, {"--seed", "''", "allowed"}},
      {{"check", subject, "--seed", "1.5"}, {"'1.5'", "allowed"}},
      {{"check", subject, "--seed", "18446744073709551616"}, {"'18446744073709551616'", "allowed"}},
      {{"check", subject, "--seed=-1"}, {"'-1'", "allowed"}},
      {{"check", subject, "--seed", "-1"}, {"-1"}},
      {{"check", subject, "--effort", "0"}, {"--effort", "0"}},
      {{"check", subject, "--effort=-1"}, {"--effort", "-1"}},
      {{"check", subject, "--effort", "lots"}, {"--effort", "lots"}},
      {{"check", subject, "--effort", "99999999999999"}, {"--effort"}},
      {{"compare", "float32", "--problems", "0"}, {"--problems", "0"}},
      {{"compare", "float32", "--seed", "abc"}, {"'abc'", "allowed"}},
      {{"compare", "float32,nonsense"}, {"'nonsense'", "allowed"}},
      {{"compare", ""}, {"allowed"}},
  });
}

TEST(program, refuses_features_that_are_not_on_the_list) {
  expect_all({
      {{"check", "builtin:float32", "--require", "rotary"}, {"'rotary'", "allowed: mask,bias"}},
      {{"check", "builtin:float32", "--require", "mask,Mask"}, {"'Mask'", "allowed: mask,bias"}},
      {{"check", "builtin:float32", "--require", "mask bias"},
       {"'mask bias'", "allowed: mask,bias"}},
  });
}

TEST(program, refuses_replay_lines_that_are_no_problem) {
  const std::string start = "builtin:float32 matches_definition ";
  expect_all({
      {{"replay", "builtin:float32"}, {"builtin:float32", "allowed: SUBJECT PROPERTY"}},
      {{"replay", "builtin:float32 matches_definition"}, {"allowed: SUBJECT PROPERTY"}},
      {{"replay", start + "Hq=3 Hkv=2"}, {"Hq=3 with Hkv=2", "allowed"}},
      {{"replay", start + "Lk=-3"}, {"Lk=-3", "allowed: 0 to"}},
      {{"replay", start + "D=0"}, {"D=0", "allowed: 1 to"}},
      {{"replay", start + "heads=3"}, {"'heads'", "allowed: B, Hq"}},
      {{"replay", start + "B=1 B=2"}, {"'B' stands twice"}},
      {{"replay", start + "B"}, {"'B'", "key=value"}},
      {{"replay", start + "Lq=1099511627776 Lk=1099511627776"}, {"elements", "allowed"}},
      {{"replay", start + "dtype=f17"}, {"'f17'", "allowed: f64"}},
      {{"replay", "builtin:float32", "matches_definition", "Hq=3", "Hkv=2"}, {"Hq=3 with Hkv=2"}},
      {{"replay", "builtin:float32 masked_keys_weigh_0 Lq=2 Lk=2"},
       {"masked_keys_weigh_0", "nothing to say"}},
      {{"replay", "builtin:nonsense matches_definition B=1"}, {"'nonsense'", "allowed"}},
      {{"replay", "builtin:float32 score_variance_is_width Lq=3 Lk=5 mask=qk"},
       {"mask", "admits only"}},
  });
}

// A subject must not be asked for what it never declared: the answer would be no fault of its own.
TEST(program, refuses_replay_lines_that_the_subject_does_not_declare) {
  expect_all({
      {{"replay", minimal + " matches_definition Lq=2 Lk=2 sink=1"}, {"sink", "minimal declares"}},
      {{"replay", minimal + " matches_definition Lq=2 Lk=2 dtype=f16"}, {"f16", "not declare"}},
  });
}

TEST(program, keeps_the_messages_of_outsiders_on_one_line) {
  expect_all({
      {{"check", "/no/such\nplugin.so"}, {"no such file"}},
      {{"explain", "a\nb"}, {"allowed"}},
      {{"replay", "builtin:float32 matches_definition B=1\n"}, {"allowed"}},
  });
}

TEST(program, refuses_reports_that_cannot_be_written_and_keeps_the_findings) {
  struct bad_report {
    std::string path;
    words parts;
  };
  const bad_report reports[] = {
      {scratch_file("report.pdf"), {"report.pdf", "allowed", ".json"}},
      {scratch_file("report"), {"allowed", ".json"}},
      {scratch_file("no/such/folder/report.json"), {"report.json", "can't be written"}},
      {"/", {"'/'", "allowed"}},
  };
  for (const bad_report& r : reports) {
    const finished_program p =
        run_attest({"check", minimal, "--property", "masked_keys_weigh_0", "--report", r.path});
    EXPECT_EQ(p.status, 2) << r.path << p.err;
    for (const std::string& part : r.parts)
      EXPECT_NE(p.err.find(part), std::string::npos) << part << "\n" << p.err;
    EXPECT_EQ(std::count(p.err.begin(), p.err.end(), '\n'), 1) << p.err;
    // Refused before the run, or told after it: never a run that is lost.
    EXPECT_TRUE(p.out.empty() || p.out.find("exit code") != std::string::npos) << p.out;
  }
}

}  // namespace
}  // namespace attest
