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

TEST(onnxruntime, is_never_loaded_with_its_telemetry_on) {
  setenv("ATTEST_THIRD_PARTY", ATTEST_WATCHFUL_FOLDER, 1);
  for (const char* before : {"", "0", "unset"}) {
    setenv("ORT_DISABLE_TELEMETRY", before, 1);
    if (std::string(before) == "unset") unsetenv("ORT_DISABLE_TELEMETRY");
    const finished_program p = run_attest({"check", "onnxruntime:attention"});
    const std::string said = p.out + p.err;
    const bool off = p.status == 98 || said.find("98") != std::string::npos;
    EXPECT_TRUE(off) << before << ": " << p.status << ' ' << said;
  }
  unsetenv("ATTEST_THIRD_PARTY");
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
}

// Only the file that switches the telemetry off names the library's entry.
TEST(onnxruntime, is_loaded_in_one_place) {
  std::vector<std::string> found;
  for (const char* folder : {"reference", "derivation", "properties", "reports"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::string(ATTEST_SOURCE_FOLDER) + "/" + folder))
      if (entry.is_regular_file() &&
          contents_of(entry.path()).find("OrtGetApiBase") != std::string::npos)
        found.push_back(entry.path().filename());
  EXPECT_EQ(found, std::vector<std::string>{"api.cc"});
}

TEST(onnxruntime, is_right_in_f32_and_f16) {
  ATTEST_NEEDS("onnxruntime");
  for (const std::string subject : {"attention", "attention-24", "attention-3d", "groupquery"})
    expect_exit(0, {"check", "onnxruntime:" + subject, "--property", "*definition"});
}

// The last query sees the keys after it.
TEST(onnxruntime, leaves_the_last_query_of_unidirectional_cross_attention_unmasked) {
  ATTEST_NEEDS("onnxruntime");
  expect_exit(3, {"identify", "onnxruntime:multihead/unidirectional"},
              {"causal_top_left       inconsistent", "o = [1 3.75]"});
}

TEST(onnxruntime, refuses_a_causal_model_with_a_mask_in_f64) {
  ATTEST_NEEDS("onnxruntime");
  expect_exit(1, {"check", "onnxruntime:attention/f64/is_causal", "--property", "one_key*"},
              {"misbehaved", "bound to different"});
}

bool python_has(const std::string& module) {
  const std::string search =
      "/usr/bin/python3 -c \"import importlib.util as u, sys; sys.exit(u.find_spec('" + module +
      "') is None)\" 2>/dev/null";
  return std::system(search.c_str()) == 0;
}

std::string python_subject(const std::string& words) {
  return "/usr/bin/python3 " ATTEST_SOURCE_FOLDER "/properties/adapters/python/" + words;
}

TEST(numpy, is_right_in_every_type) {
  if (!python_has("numpy")) GTEST_SKIP() << "there is no python3-numpy";
  for (const char* type : {"f16", "f32", "longdouble"})
    expect_exit(0, {"check", "--exec", python_subject(std::string("numpy_attention.py ") + type),
                    "--property", "exact_answers_are_exact"});
}

// Sums of bf16 are bf16 on the CPU in PyTorch 1.13.
TEST(pytorch, is_right_in_f32_and_sums_bf16_in_bf16) {
  if (!python_has("torch")) GTEST_SKIP() << "there is no python3-torch";
  expect_exit(
      1,
      {"check", "--exec", python_subject("torch_attention.py sdpa"), "--property", "rows_sum_to_1"},
      {"rows_sum_to_1: violated", "bf16"});
}

}  // namespace
}  // namespace attest
