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
    expect_exit(0, {"check", "ggml:" + subject, "--property", "weights_match_definition"});
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
    const finished_program p =
        run_attest({"check", "onnxruntime:attention", "--property", "one_key*"});
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
    expect_exit(0, {"check", "onnxruntime:" + subject, "--property", "weights_match_definition"});
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

// Whether attest lists a subject of that adapter.
bool is_here(const std::string& adapter) {
  return run_attest({"list", "subjects"}).out.find("\n  " + adapter + ":") != std::string::npos;
}

#define ATTEST_NEEDS_HERE(adapter) \
  if (!is_here(adapter)) GTEST_SKIP() << adapter << " is not available here"

TEST(adapters, say_that_they_were_not_built) {
  setenv("ATTEST_ADAPTER_FOLDER", "/nowhere", 1);
  expect_exit(0, {"list", "subjects"},
              {"not available here: the adapter was not built; install: sudo apt-get install "
               "--no-install-recommends libdnnl-dev",
               "not available here: its script is not beside attest"});
  expect_bad_input({"check", "onednn:matmul/avx2"}, {"the adapter was not built", "libdnnl-dev"});
  unsetenv("ATTEST_ADAPTER_FOLDER");
}

// An interpreter that is none, and one that finds no module beyond its own.
TEST(adapters, say_which_python_lacks_what) {
  const std::string bare = scratch_file("bare_python");
  write_contents(bare, "#!/bin/sh\nexec /usr/bin/python3 -I -S \"$@\"\n");
  std::filesystem::permissions(bare, std::filesystem::perms::owner_all);
  for (const std::string& interpreter : {std::string("/nowhere/python"), bare}) {
    setenv("ATTEST_PYTHON_INTERPRETER", interpreter.c_str(), 1);
    expect_exit(0, {"list", "subjects"},
                {"not available here: ATTEST_PYTHON_INTERPRETER is '" + interpreter + "'",
                 "install: sudo apt-get install --no-install-recommends python3-numpy"});
    expect_bad_input({"check", "numpy:float32"}, {interpreter, "numpy", "python3-numpy"});
    expect_bad_input({"check", "pytorch:sdpa"}, {interpreter, "torch", "python3-torch"});
  }
  unsetenv("ATTEST_PYTHON_INTERPRETER");
}

TEST(numpy, is_right_in_every_type) {
  ATTEST_NEEDS_HERE("numpy");
  for (const char* type : {"float16", "float32", "longdouble"})
    expect_exit(0,
                {"check", std::string("numpy:") + type, "--property", "weights_match_definition"},
                {std::string("subject     numpy:") + type});
}

TEST(numpy, is_replayed_by_its_address) {
  ATTEST_NEEDS_HERE("numpy");
  expect_exit(0, {"replay",
                  "numpy:float32 one_key_returns_its_value B=1 Hq=1 Hkv=1 Lq=1 Lk=1 D=1 "
                  "Dv=1 dtype=f32 profile=attest regime=normal seed=1"});
}

// Sums of bf16 are bf16 on the CPU in PyTorch 1.13.
TEST(pytorch, is_right_in_f32_and_sums_bf16_in_bf16) {
  ATTEST_NEEDS_HERE("pytorch");
  expect_exit(1, {"check", "pytorch:sdpa", "--property", "rows_sum_to_1"},
              {"rows_sum_to_1: violated", "bf16"});
}

// One thread: oneDNN's wait for each other busily, which is slow where others compute.
TEST(onednn, is_right_with_each_set_of_instructions) {
  ATTEST_NEEDS_HERE("onednn");
  setenv("OMP_NUM_THREADS", "1", 1);
  for (const char* set : {"sse41", "avx"})
    expect_exit(0, {"check", std::string("onednn:matmul/") + set, "--property", "rows_sum_to_1"});
  unsetenv("OMP_NUM_THREADS");
}

// As from Python.
TEST(libtorch, sums_bf16_in_bf16) {
  ATTEST_NEEDS_HERE("libtorch");
  expect_exit(1, {"check", "libtorch:sdpa", "--property", "rows_sum_to_1"},
              {"rows_sum_to_1: violated", "bf16"});
}

TEST(libtorch, has_a_right_multi_head_attention_with_an_added_mask) {
  ATTEST_NEEDS_HERE("libtorch");
  expect_exit(0, {"check", "libtorch:mha", "--property", "exact_answers_are_exact"});
}

// True adds 1 to the score of a key that is to be left out.
TEST(libtorch, adds_a_boolean_mask_to_the_scores) {
  ATTEST_NEEDS_HERE("libtorch");
  expect_exit(3, {"identify", "libtorch:mha/boolean_mask"}, {"causal_top_left       inconsistent"});
}

}  // namespace
}  // namespace attest
