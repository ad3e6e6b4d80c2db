// What the program says of the implementations of others, as a user sees it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program/expectations.h"

namespace attest {
namespace {

bool fetched(const std::string& library) {
  return std::filesystem::exists(std::string(ATTEST_THIRD_PARTY_FOLDER) + "/" + library +
                                 "/provenance");
}

#define ATTEST_NEEDS(library) \
  if (!fetched(library)) GTEST_SKIP() << library << " was not fetched (properties/adapters/fetch)"

TEST(adapters, say_how_to_get_what_is_absent) {
  setenv("ATTEST_THIRD_PARTY", "/nowhere", 1);
  expect_exit(0, {"list", "subjects"}, {"install: properties/adapters/fetch ggml"});
  expect_bad_input({"check", "ggml:flash/x64/kv=f32"},
                   {"'ggml:flash/x64/kv=f32'", "properties/adapters/fetch ggml"});
  unsetenv("ATTEST_THIRD_PARTY");
}

TEST(adapters, refuse_a_name_that_is_not_on_the_list) {
  ATTEST_NEEDS("ggml");
  expect_bad_input({"check", "ggml:flash/pdp11/kv=f32"},
                   {"no such subject", "attest list subjects"});
}

TEST(ggml, lists_what_runs_here) {
  ATTEST_NEEDS("ggml");
  expect_exit(0, {"list", "subjects"},
              {"  ggml:flash/x64/kv=f16\n", "  ggml:composed/x64/kv=bf16\n"});
}

TEST(ggml, is_right_in_f32_and_bf16_and_where_it_is_composed) {
  ATTEST_NEEDS("ggml");
  for (const std::string subject : {"flash/x64/kv=f32", "flash/x64/kv=bf16",
                                    "flash/x64/kv=f32/threads=2", "composed/x64/kv=f16"})
    expect_exit(0, {"check", "ggml:" + subject, "--property", "matches_definition"});
}

// GGML_PREC_F32 is asked for, and the output is summed in f16.
TEST(ggml, loses_half_of_a_row_of_equal_keys_with_an_f16_cache) {
  ATTEST_NEEDS("ggml");
  const finished_program p =
      expect_exit(1, {"check", "ggml:flash/x64/kv=f16", "--property", "exact_answers_are_exact"},
                  {"exact_answers_are_exact: violated", "attest replay 'ggml:flash/x64/kv=f16 "});
}

}  // namespace
}  // namespace attest
