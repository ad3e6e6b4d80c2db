// Contracts on the command line: explained, given for a run, and carried by the replay line.
#include <gtest/gtest.h>

#include <fstream>

#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

TEST(program, explains_every_contract_field_by_field) {
  std::vector<std::string> fields;
  for (const contract_field& field : contract_fields())
    fields.push_back(std::string(field.name) + " ");
  expect_exit(0, {"explain", "contract"}, fields);
  for (const contract& c : all_contracts()) {
    std::vector<std::string> values{c.name, c.about};
    for (const contract_field& field : contract_fields()) values.push_back(value_text(field, c));
    expect_exit(0, {"explain", c.name}, values);
  }
}

std::string contract_file(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

// bf16 scores under a contract of f32 ones, and under their own.
TEST(program, judges_on_the_contract_that_is_given_and_replays_on_it) {
  const std::string path =
      contract_file("strict.json", R"({"name": "strict", "from": "bf16-flash", "exp_ulps": 4})");
  const std::vector<std::string> check{"check", "builtin:bf16-eager", "--property",
                                       "weights_match_definition"};
  expect_exit(0, check, {"bf16-eager for bf16 inputs"});
  std::vector<std::string> given = check;
  given.insert(given.end(), {"--contract", path});
  const finished_program p =
      expect_exit(1, given,
                  {"strict for bf16 inputs", "violated",
                   "attest replay --contract " + path + " 'builtin:bf16-eager"});
  const std::string quoted = "'builtin:bf16-eager";
  const std::size_t begin = p.out.find(quoted) + 1;
  const std::string line = p.out.substr(begin, p.out.find('\'', begin) - begin);
  expect_exit(1, {"replay", "--contract", path, line}, {"violated"});
  expect_exit(0, {"replay", line}, {"holds"});
}

TEST(program, infers_a_contract_that_can_be_given_back) {
  const std::string path = testing::TempDir() + "inferred.json";
  expect_exit(0, {"infer", "builtin:bf16-eager", "--problems", "28", "--out", path},
              {"bf16-eager is the tightest preset that is satisfied", "score_storage", "wrote"});
  expect_exit(0, {"explain", path}, {"bf16-eager: inferred from answers"});
  expect_exit(0,
              {"check", "builtin:bf16-eager", "--property", "weights_match*", "--contract", path});
  expect_exit(1, {"infer", ATTEST_PLUGIN_FOLDER "/mutants/gqa_tile.so", "--problems", "28"},
              {"no preset is satisfied", "exceeded at"});
}

TEST(program, refuses_a_contract_for_inputs_that_the_subject_does_not_take) {
  expect_bad_input({"check", "builtin:float32", "--contract", "fp16-flash"},
                   {"contract fp16-flash is about f16 inputs"});
  expect_bad_input({"check", "builtin:float32", "--contract", "nothing"},
                   {"unknown contract 'nothing'"});
  expect_bad_input({"check", "builtin:float32", "--contract", "absent.json"}, {"absent.json"});
}

}  // namespace
}  // namespace attest
