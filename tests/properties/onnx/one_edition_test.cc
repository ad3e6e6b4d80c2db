// Folders with cases of the operators that have one edition: FlexAttention and LinearAttention.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/linear_call.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/onnx/case_folder.h"
#include "tests/properties/onnx/flex_case.h"
#include "tests/properties/onnx/linear_case.h"
#include "tests/properties/onnx/small_case.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

using folder_of_one_edition = case_folder;

void write_attention(const fs::path& folder) {
  const small_case c;
  const array y = c.output([](auto...) { return 2; });
  write_onnx_case(folder, c.model(), {{"", c.inputs(), {{"", y}}}});
}

// A model that computes the same by other operators.
void replace_operator(const fs::path& model) {
  write_bytes(model, onnx_model_bytes({.opset = 26,
                                       .nodes = {{"MatMul", "", {"Q", "K"}, {"Y"}, {}}},
                                       .inputs = {},
                                       .outputs = {},
                                       .initializers = {}}));
}

void write_flex(const fs::path& folder, const flex_case& c, const array& y) {
  write_onnx_case(folder, c.model(), {{"", c.inputs(), {{"", y}}}});
}

TEST_F(folder_of_one_edition, judges_flex_attention_and_its_expanded_form) {
  const auto capped = [](double x, const index4&) { return 2 * std::tanh(x / 2); };
  const flex_case c{.score_mod = soft_capped(2)};
  write_flex(folder_ / "test_flexattention_soft_cap", c, plain_answer(c, {.score = capped}));
  write_flex(folder_ / "test_flexattention_soft_cap_expanded", c,
             plain_answer(c, {.score = capped}));
  replace_operator(folder_ / "test_flexattention_soft_cap_expanded/model.onnx");
  write_flex(folder_ / "without", c, plain_answer(c));
  const onnx_folder_result r = judge();
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[0].found, stored_class::correctly_rounded);
  EXPECT_EQ(r.cases[0].contract, "float32");
  EXPECT_EQ(r.cases[0].opset, 26);
  EXPECT_EQ(r.cases[1].expands, "test_flexattention_soft_cap");
  EXPECT_EQ(r.cases[1].found, stored_class::correctly_rounded);
  EXPECT_EQ(class_of(r, "without"), stored_class::wrong);
  EXPECT_EQ(r.exit_code(), 1);
}

TEST_F(folder_of_one_edition, names_what_of_flex_attention_is_not_judged) {
  write_attention(folder_ / "a");
  const flex_case foreign{.score_mod = graph_of({node("TopK", {"x"}, "y")})};
  write_flex(folder_ / "foreign", foreign, plain_answer(foreign));
  const flex_case huge{
      .score_mod = graph_of({node("ConstantOfShape", {"n"}, "c"), node("Add", {"x", "c"}, "y")},
                            {integers("n", {1e9, 1e9})})};
  write_flex(folder_ / "huge", huge, plain_answer(huge));
  const onnx_folder_result r = judge();
  EXPECT_EQ(r.cases[1].not_judged, "the operator TopK in score_mod");
  EXPECT_EQ(r.cases[2].not_judged.find("a tensor of sizes [1000000000, 1000000000]"), 0u);
  EXPECT_EQ(r.cases[2].found, stored_class::not_judged);
  EXPECT_EQ(r.exit_code(), 3);
}

TEST_F(folder_of_one_edition, refuses_a_malformed_modifier_by_its_case) {
  const flex_case c{.score_mod = graph_of({node("Neg", {"gone"}, "y")})};
  write_flex(folder_ / "bad", c, plain_answer(c));
  EXPECT_NE(message_of([&] { judge(); }).find("bad/test_data_set_0: score_mod: the value gone"),
            std::string::npos);
}

void write_linear(const fs::path& folder, const linear_case& c, const linear_case& answered) {
  write_onnx_case(folder, c.model(), {{"", c.inputs(), answered.outputs()}});
}

TEST_F(folder_of_one_edition, judges_linear_attention_of_each_update_rule) {
  for (const char* rule : {"linear", "gated", "delta", "gated_delta"})
    for (const format* type : {&f32, &f16}) {
      const linear_case c{.rule = rule, .type = type};
      write_linear(folder_ / (std::string(rule) + "_" + std::string(type->name)), c, c);
    }
  const onnx_folder_result r = judge();
  ASSERT_EQ(r.cases.size(), 8u);
  for (const onnx_case_result& c : r.cases) {
    EXPECT_EQ(c.found, stored_class::correctly_rounded) << c.name;
    EXPECT_EQ(c.agrees_with.size(), onnx_editions().size());
    EXPECT_EQ(c.stored.judged, 5 * 4 * 2 + 2 * 3 * 2) << c.name;
  }
  EXPECT_EQ(r.exit_code(), 0);
}

TEST_F(folder_of_one_edition, finds_linear_attention_wrong) {
  const auto planted = [&](const char* name, linear_case c, linear_mistake mistake) {
    linear_case wrong = c;
    wrong.mistake = mistake;
    write_linear(folder_ / name, c, wrong);
    return name;
  };
  const std::vector<const char*> names{
      planted("decay", {.rule = "gated"}, linear_mistake::no_decay),
      planted("decay_of_delta", {.rule = "gated_delta"}, linear_mistake::no_decay),
      planted("beta", {.rule = "delta"}, linear_mistake::no_beta),
      planted("late", {.rule = "linear"}, linear_mistake::previous_step),
      planted("scale", {.rule = "linear"}, linear_mistake::no_scale),
      planted("past", {.rule = "gated_delta"}, linear_mistake::no_past),
      planted("heads", {.rule = "linear"}, linear_mistake::tiled_heads)};
  const onnx_folder_result r = judge();
  for (const char* name : names) EXPECT_EQ(class_of(r, name), stored_class::wrong) << name;
  EXPECT_EQ(r.exit_code(), 1);
}

TEST_F(folder_of_one_edition, refuses_linear_attention_whose_tensors_do_not_fit) {
  struct refused_case {
    std::function<void(onnx_model&, onnx_data_set&)> spoil;
    std::string why;
  };
  const linear_case c{.rule = "gated_delta"};
  for (const refused_case& row : std::vector<refused_case>{
           {[](onnx_model&, onnx_data_set&s) {
              s.outputs[1].held.sizes = {1, 2, 2, 3};
            },
            "present_state has sizes [1, 2, 2, 3]"},
           {[](onnx_model&, onnx_data_set&s) {
              s.outputs[1].held.kind = element_kind::integer;
              s.outputs[1].held.element = nullptr;
              for (double& x : s.outputs[1].held.values) x = 0;
            },
            "present_state holds no floating numbers"},
           {[](onnx_model&, onnx_data_set&s) {
              s.inputs[3].held.sizes = {1, 2, 2, 3};
            },
            "past_state has sizes"},
           {[](onnx_model&, onnx_data_set&s) {
              s.inputs[5].held.sizes = {5, 1, 2};
            },
            "beta has sizes [5, 1, 2]"},
           {[](onnx_model&m, onnx_data_set&) { m.nodes[0].inputs[4].clear(); }, "decay is missing"},
           {[](onnx_model&m, onnx_data_set&) {
              m.nodes[0].attributes[2] = {"update_rule", std::string("linear")};
            },
            "decay is given"},
           {[](onnx_model&, onnx_data_set&s) {
              s.inputs[0].held.sizes = {1, 4, 5, 3};
            },
            "query has rank 4"}}) {
    onnx_model m = c.model();
    onnx_data_set set{"", c.inputs(), c.outputs()};
    row.spoil(m, set);
    write_onnx_case(folder_ / "bad", m, {set});
    const std::string message = message_of([&] { judge(); });
    EXPECT_NE(message.find("bad/test_data_set_0: " + row.why), std::string::npos) << message;
  }
}

TEST_F(folder_of_one_edition, says_which_attribute_of_linear_attention_is_not_taken) {
  onnx_model m = linear_case{}.model();
  m.nodes[0].attributes.push_back({"activation", std::string("silu")});
  EXPECT_EQ(why_linear_not_judged(m), "attribute activation");
  m.nodes[0].attributes.back() = {"update_rule", std::string("other")};
  EXPECT_EQ(why_linear_not_judged(m), "this value of the attribute update_rule");
  m.opset = 26;
  EXPECT_EQ(why_linear_not_judged(m), "LinearAttention in opset 26");
}

TEST_F(folder_of_one_edition, asks_no_subject_for_operators_of_one_edition) {
  write_attention(folder_ / "a");
  write_linear(folder_ / "linear", linear_case{}, linear_case{});
  write_flex(folder_ / "flex", flex_case{}, plain_answer(flex_case{}));
  scripted_subject right;
  const onnx_folder_result r = judge({.edition = "", .subject = &right});
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[1].not_judged, "FlexAttention, which no subject is asked");
  EXPECT_EQ(r.cases[2].not_judged, "LinearAttention, which no subject is asked");
  EXPECT_EQ(r.exit_code(), 3);
}

}  // namespace
}  // namespace attest
