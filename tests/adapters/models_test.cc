// Models that hold one attention, run by ONNX Runtime.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/onnx/model.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr int float_type = 1, int32_type = 6, bool_type = 9, bfloat16_type = 16;

#define ATTEST_NEEDS_ONNXRUNTIME()                                                     \
  if (!fs::exists(std::string(ATTEST_THIRD_PARTY_FOLDER) + "/onnxruntime/provenance")) \
  GTEST_SKIP() << "ONNX Runtime was not fetched (properties/adapters/fetch)"

// A size without a number is open; each has a name of its own.
onnx_value value(const std::string& name, const std::vector<std::int64_t>& sizes,
                 int type = float_type) {
  onnx_value v{name, type, sizes, {}};
  for (std::size_t n = 0; n < sizes.size(); ++n) v.symbols.push_back(name + std::to_string(n));
  return v;
}

constexpr std::int64_t open = open_size;
const std::vector<std::int64_t> open_4{open, open, open, open};

struct written_model {
  const char* name;
  std::vector<std::string> names;  // of the node's inputs
  std::vector<onnx_value> inputs;
  std::vector<onnx_attribute> attributes = {};
  const char* op = "Attention";
  const char* domain = "";
  std::vector<onnx_value> outputs = {value("Y", {})};

  std::string write() const {
    onnx_model m;
    m.opset = 24;
    onnx_node node{op, domain, names, {}, attributes};
    m.inputs = inputs;
    m.outputs = outputs;
    for (onnx_value& v : m.outputs) {
      node.outputs.push_back(v.name);
      v.data_type = inputs.front().data_type;
      v.is_ranked = false;
    }
    m.nodes.push_back(node);
    const std::string path = scratch_file(std::string(name) + ".onnx");
    write_bytes(path, onnx_model_bytes(m));
    return path;
  }
};

std::vector<onnx_value> operands(int type = float_type) {
  return {value("Q", open_4, type), value("K", open_4, type), value("V", open_4, type)};
}

std::vector<onnx_value> with(std::vector<onnx_value> inputs, const std::vector<onnx_value>& more) {
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

const std::vector<onnx_value> of_rank_3{value("Q", {open, open, 16}), value("K", {open, open, 16}),
                                        value("V", {open, open, 16})};

const std::vector<written_model> right_models{
    {"open", {"Q", "K", "V"}, operands()},
    {"fixed",
     {"Q", "K", "V"},
     {value("Q", {2, 4, 3, 8}), value("K", {2, 2, 5, 8}), value("V", {2, 2, 5, 6})}},
    {"causal", {"Q", "K", "V"}, operands(), {{"is_causal", std::int64_t{1}}}},
    {"mask", {"Q", "K", "V", "m"}, with(operands(), {value("m", open_4)})},
    {"boolean", {"Q", "K", "V", "m"}, with(operands(), {value("m", {open, open}, bool_type)})},
    {"past",
     {"Q", "K", "V", "", "pk", "pv"},
     with(operands(), {value("pk", open_4), value("pv", open_4)}),
     {{"is_causal", std::int64_t{1}}},
     "Attention",
     "",
     {value("Y", {}), value("nk", {}), value("nv", {})}},
    {"rank_3",
     {"Q", "K", "V"},
     of_rank_3,
     {{"q_num_heads", std::int64_t{4}},
      {"kv_num_heads", std::int64_t{4}},
      {"scale", 0.25},
      {"softcap", 2.0}}},
    {"multi_head",
     {"Q", "K", "V"},
     of_rank_3,
     {{"num_heads", std::int64_t{2}}},
     "MultiHeadAttention",
     "com.microsoft"},
    {"group_query",
     {"Q", "K", "V", "", "", "s", "t"},
     {value("Q", {open, open, 32}), value("K", {open, open, 16}), value("V", {open, open, 16}),
      value("s", {open}, int32_type), value("t", {}, int32_type)},
     {{"num_heads", std::int64_t{4}}, {"kv_num_heads", std::int64_t{2}}},
     "GroupQueryAttention",
     "com.microsoft",
     {value("Y", {}), value("nk", {}), value("nv", {})}},
};

TEST(onnx_models, of_one_attention_are_right) {
  ATTEST_NEEDS_ONNXRUNTIME();
  for (const written_model& m : right_models)
    expect_exit(0, {"check", m.write(), "--property", "weights_match_definition"},
                {"the one property that was run holds"});
}

TEST(onnx_models, hold_all_laws) {
  ATTEST_NEEDS_ONNXRUNTIME();
  expect_exit(0, {"check", right_models[1].write()}, {"Attention 24", "exit code 0: pass"});
}

// Under another edition's head map grouped heads are wrong.
TEST(onnx_models, are_judged_under_the_profile_that_is_given) {
  ATTEST_NEEDS_ONNXRUNTIME();
  expect_exit(1,
              {"check", right_models[0].write(), "--profile", "onnx-attention-23-1.18",
               "--property", "matches_definition"},
              {"matches_definition: violated", "attest replay "});
}

TEST(onnx_models, that_are_refused_are_bad_input) {
  ATTEST_NEEDS_ONNXRUNTIME();
  const written_model bf16{"bf16", {"Q", "K", "V"}, operands(bfloat16_type)};
  expect_bad_input({"check", bf16.write()}, {"bf16.onnx: it can't be run"});
  expect_bad_input({"check", right_models[0].write(), "--no-isolation"}, {"--no-isolation"});
}

TEST(onnx_models, say_how_to_get_what_runs_them) {
  setenv("ATTEST_THIRD_PARTY", "/nowhere", 1);
  expect_bad_input({"check", right_models[0].write()},
                   {"ONNX Runtime, which is not here", "properties/adapters/fetch onnxruntime"});
  unsetenv("ATTEST_THIRD_PARTY");
}

// ONNX Runtime refuses scales of 0 and less and masks with one row for all queries, and goes its
// own way where a causal row has fewer valid keys than queries.
TEST(onnx_models, written_by_corpus_make_run) {
  ATTEST_NEEDS_ONNXRUNTIME();
  const std::string folder = scratch_file("cases");
  fs::remove_all(folder);
  expect_exit(
      0, {"corpus", "make", folder, "--contract", "float32", "--format", "onnx", "--count", "60"});
  int right = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    const finished_program p = run_attest(
        {"check", entry.path().string() + "/model.onnx", "--property", "matches_definition"});
    const bool refuses_scale = p.err.find("scale must be greater than 0") != std::string::npos;
    EXPECT_TRUE(p.status <= 1 || refuses_scale) << p.out << p.err;
    if (p.status == 0) ++right;
  }
  EXPECT_GT(right, 8);
}

}  // namespace
}  // namespace attest
