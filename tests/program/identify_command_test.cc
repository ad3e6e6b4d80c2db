// attest identify, and what attest check does with a profile that is found.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/program/expectations.h"

namespace attest {
namespace {

const std::string folder = ATTEST_PLUGIN_FOLDER;
const std::string conventions = folder + "/conventions/conventions.so:";
const std::string two_minds = folder + "/without_convention/two_minds.so";

TEST(identify_command, prints_each_convention_with_what_settled_it_and_the_profile) {
  const finished_program p = expect_exit(
      0, {"identify", conventions + "first_edition"},
      {"head_map              tile            f32 B=1 Hq=4 Hkv=2 Lq=1 Lk=1 D=1 Dv=1, q=0 k=0 "
       "v=[1 2]: o = [1 2 1 2]\n",
       "lse_base              not observable  needs lse\n",
       "profile  onnx-attention-23-1.18 (of 8 conventions identified, none speaks against it)\n"});
  EXPECT_EQ(p.err, "");
}

TEST(identify_command, gives_a_text_to_declare_where_no_profile_has_that_name) {
  expect_exit(0, {"identify", conventions + "tiled_windows"},
              {"none of the named profiles; declare "
               "\"tiled-heads,mask_polarity=true_masks,window_ends=exclusive\"\n"});
}

TEST(identify_command, says_where_answers_follow_no_convention) {
  expect_exit(3, {"identify", two_minds},
              {"mask_polarity         inconsistent    no value explains o[b=0,h=1,i=0]\n",
               "mask=[1 0]: o = [1 2 1 1 2 1]\n", "profile  none: the answers do not follow"});
}

TEST(identify_command, writes_a_report) {
  const std::string path = scratch_file("identified.json");
  expect_exit(0, {"identify", conventions + "true_masks", "--report", path});
  const auto page = nlohmann::json::parse(std::ifstream(path));
  EXPECT_EQ(page["consistent"], true);
  EXPECT_EQ(page["profiles"], nlohmann::json({"torch-multi-head-attention"}));
  const auto& first = page["conventions"][0];
  EXPECT_EQ(first["name"], "mask_polarity");
  EXPECT_EQ(first["state"], "identified");
  EXPECT_EQ(first["values"], nlohmann::json({"true_masks"}));
  EXPECT_EQ(first["evidence"][0]["answer"], "o = 2");
}

TEST(identify_command, refuses_bad_input) {
  expect_bad_input({"identify"}, {"SUBJECT"});
  expect_bad_input({"identify", "builtin:nonsense"}, {"'nonsense'"});
  expect_bad_input({"identify", "builtin:float32", "--report", "x.txt"}, {"x.txt", ".json"});
}

const std::vector<std::string> only_definition{"--property", "weights_match_definition"};

std::vector<std::string> check(std::string subject, const std::vector<std::string>& more) {
  std::vector<std::string> words{"check", std::move(subject)};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), only_definition.begin(), only_definition.end());
  return words;
}

TEST(check_command, judges_under_a_given_or_an_identified_profile_and_says_so) {
  const std::string subject = conventions + "base_2";
  expect_exit(0, check(subject, {}), {"profile     base-2-lse,window_ends=exclusive,non"});
  expect_exit(1, check(subject, {"--profile", "attest"}), {"profile     attest (given)"});
  expect_exit(0, check(subject, {"--profile", "identify"}),
              {"profile     base-2-lse,window_ends=exclusive (identified)"});
  expect_exit(0, check(folder + "/conventions/undeclared.so", {}),
              {"profile     tiled-heads,mask_polarity=true_masks (identified)"});
  expect_bad_input(check(subject, {"--profile", "torch"}), {"'torch'", "allowed: attest"});
}

TEST(check_command, replays_under_the_profile_that_was_given) {
  const finished_program p =
      expect_exit(1, check(conventions + "plain", {"--profile", "tiled-heads"}));
  std::smatch replay;
  ASSERT_TRUE(std::regex_search(p.out, replay, std::regex("--profile (\\S+) '([^']+)'"))) << p.out;
  EXPECT_EQ(replay[1], "tiled-heads");
  expect_exit(1, {"replay", "--profile", replay[1], replay[2]}, {"violated"});
}

TEST(check_command, hints_at_a_profile_that_nobody_declared) {
  expect_exit(1, check(folder + "/mutants/bool_polarity.so", {}),
              {"hint        its answers agree with profile attest,mask_polarity=true_masks: "
               "declare it, or pass",
               "--profile attest,mask_polarity=true_masks", "violated"});
  const finished_program declared =
      expect_exit(1, check(conventions + "plain", {"--profile", "tiled-heads"}));
  EXPECT_EQ(declared.out.find("hint"), std::string::npos) << "a given profile is meant";
  const finished_program wrong = expect_exit(1, check(folder + "/mutants/return_zeros.so", {}));
  EXPECT_EQ(wrong.out.find("hint"), std::string::npos) << "no profile explains its answers";
}

}  // namespace
}  // namespace attest
