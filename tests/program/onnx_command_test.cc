// attest onnx: folders of ONNX's backend tests.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program/expectations.h"
#include "tests/properties/onnx/flex_case.h"
#include "tests/properties/onnx/linear_case.h"
#include "tests/properties/onnx/small_case.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A folder with one case in it, whose answers are off by so much.
std::string folder_with(const std::string& name, double added, const char* op_type = "Attention") {
  const small_case c{.queries = 1};
  onnx_model model = c.model();
  model.nodes[0].op_type = op_type;
  const array y = c.output([&](auto, auto, auto) { return 2 + added; });  // the mean of 1, 2, 3
  const fs::path folder = scratch_file(name);
  write_onnx_case(folder / "test_case", model, {{"", c.inputs(), {{"", y}}}});
  return folder.string();
}

TEST(onnx_command, judges_stored_answers) {
  expect_exit(0, {"onnx", folder_with("right", 0)},
              {"edition     1.22: 1 of 1 stored cases agree with it", "correctly rounded",
               "1 correctly rounded; exit code 0: pass"});
  expect_exit(0, {"onnx", folder_with("near", 0x1p-22) + "/test_case"},
              {"1 close; exit code 0: pass", "f32   0  1  0  0"});
  expect_exit(1, {"onnx", folder_with("far", 0.5)},
              {"test_case: wrong: agrees with no edition", "at        Y[b=0,h=0,i=0,d=0]: Y",
               "observed  2.5", "1 wrong; exit code 1: failure"});
}

TEST(onnx_command, judges_operators_of_one_edition) {
  const auto capped = [](double x, const index4&) { return 2 * std::tanh(x / 2); };
  const flex_case flex{.score_mod = soft_capped(2)};
  const linear_case linear, faster{.mistake = linear_mistake::no_decay};
  const fs::path folder = scratch_file("one_edition");
  write_onnx_case(folder / "flex", flex.model(),
                  {{"", flex.inputs(), {{"", plain_answer(flex, {.score = capped})}}}});
  write_onnx_case(folder / "linear", linear.model(), {{"", linear.inputs(), linear.outputs()}});
  const std::string report = scratch_file("one_edition.json");
  expect_exit(0, {"onnx", folder.string(), "--report", report},
              {"2 correctly rounded; exit code 0: pass"});
  expect_schema("onnx_report.schema.json", report);
  write_onnx_case(folder / "linear", linear.model(), {{"", linear.inputs(), faster.outputs()}});
  expect_exit(1, {"onnx", folder.string()}, {"linear: wrong", "at        output[b=0,h="});
}

TEST(onnx_command, puts_cases_to_a_subject) {
  expect_exit(0, {"onnx", folder_with("far", 0.5), "--subject", "builtin:float32"},
              {"subject     builtin:float32", "holds", "1 holds; exit code 0: pass"});
  expect_exit(3, {"onnx", folder_with("far", 0.5), "--subject", "builtin:fp16-eager"},
              {"unsupported", "takes no f32", "exit code 3"});
}

TEST(onnx_command, writes_a_report) {
  const std::string path = scratch_file("report.json");
  expect_exit(0, {"onnx", folder_with("right", 0), "--report", path});
  const auto report = nlohmann::json::parse(contents_of(path));
  EXPECT_EQ(report["edition"], "1.22");
  EXPECT_EQ(report["exit_code"], 0);
  ASSERT_EQ(report["cases"].size(), 1u);
  EXPECT_EQ(report["cases"][0]["case"], "test_case");
  EXPECT_EQ(report["cases"][0]["stored_answers"], "correctly rounded");
  EXPECT_EQ(report["cases"][0]["ulps"]["classes"]["0"], 1);
  expect_schema("onnx_report.schema.json", path);
  expect_exit(1, {"onnx", folder_with("far", 0.5), "--report", path});
  expect_schema("onnx_report.schema.json", path);
  expect_exit(0,
              {"onnx", folder_with("far", 0.5), "--subject", "builtin:float32", "--report", path});
  expect_schema("onnx_report.schema.json", path);
}

TEST(onnx_command, judges_the_cases_that_corpus_make_writes) {
  const std::string folder = scratch_file("onnx_cases");
  std::filesystem::remove_all(folder);
  const std::vector<std::string> make{"corpus",   "make", folder,    "--contract", "float32",
                                      "--format", "onnx", "--count", "60"};
  expect_exit(0, make, {"test cases of Attention, named in cases.json", "attest onnx "});
  const auto list = nlohmann::json::parse(contents_of(folder + "/cases.json"));
  EXPECT_GT(list["cases"].size(), 20u);
  EXPECT_FALSE(list["left_out"].empty());
  for (const auto& left : list["left_out"]) EXPECT_NE(left["left_out"], "");
  const finished_program p = expect_exit(0, {"onnx", folder, "--edition", "1.22"});
  EXPECT_NE(p.out.find(std::to_string(list["cases"].size()) + " correctly rounded; exit code 0"),
            std::string::npos)
      << p.out;
  expect_bad_input(make, {"onnx_cases", "allowed: a new folder"});
}

TEST(onnx_command, refuses_problems_of_which_none_can_be_said_in_onnx) {
  expect_bad_input({"corpus", "make", scratch_file("none"), "--contract", "fp8-flash", "--format",
                    "onnx", "--count", "10"},
                   {"no problem can be said in ONNX"});
}

TEST(onnx_command, says_in_one_line_why_a_model_is_no_subject) {
  const std::string model = scratch_file("broken.onnx");
  write_contents(model, "no model");
  expect_bad_input({"check", model}, {"broken.onnx: bytes that are no model"});
  expect_bad_input({"check", "/no/such.onnx"}, {"/no/such.onnx"});
  const std::string folder = folder_with("matmul", 0, "MatMul");
  expect_bad_input({"check", folder + "/test_case/model.onnx"},
                   {"model.onnx: MatMul; allowed: one node: Attention"});
}

TEST(onnx_command, refuses_what_it_can_not_judge) {
  expect_bad_input({"onnx"}, {"DIR"});
  expect_bad_input({"onnx", "/no/such/folder"}, {"/no/such/folder: no folder"});
  expect_bad_input({"onnx", folder_with("flex", 0, "FlexAttention")},
                   {"test_case: FlexAttention", "allowed: one node Attention",
                    "FlexAttention (1) of ai.onnx.preview"});
  expect_bad_input({"onnx", folder_with("right", 0), "--edition", "1.0"},
                   {"unknown edition '1.0'", "allowed: 1.18, 1.19"});
  expect_bad_input({"onnx", folder_with("right", 0), "--contract", "float32"},
                   {"allowed: with --subject"});
}

TEST(onnx_command, says_in_one_line_which_file_is_malformed) {
  const std::string folder = folder_with("broken", 0);
  write_contents(folder + "/test_case/test_data_set_0/input_1.pb", "\xff\xff");
  expect_bad_input({"onnx", folder}, {"input_1.pb: bytes that are no protobuf message"});
  write_contents(folder + "/test_case/model.onnx", "");
  expect_bad_input({"onnx", folder}, {"model.onnx: bytes that are no model"});
}

}  // namespace
}  // namespace attest
