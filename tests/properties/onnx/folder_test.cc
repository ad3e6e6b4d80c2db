#include "properties/onnx/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "reference/formats/rounding.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/onnx/case_folder.h"
#include "tests/properties/onnx/small_case.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

class onnx_folder : public case_folder {
 protected:
  // Four query heads of two KV heads, h / 2 or h mod 2; added to every answer.
  void write_grouped(const char* name, bool tiled, double added = 0) const {
    const small_case c{.query_heads = 4, .kv_heads = 2};
    write(name, c, c.output([&](auto b, auto h, auto i) {
      const auto all = [](auto, auto, auto) { return true; };
      return mean_of_kept(c, b, tiled ? h % 2 : h / 2, i, all) + added;
    }));
  }

  void write(const char* name, const small_case& c, const array& y) const {
    write_onnx_case(folder_ / name, c.model(), {{"", c.inputs(), {{"", y}}}});
  }

  void write_operator(const char* name, const char* op_type, const char* domain = "") const {
    const small_case c;
    onnx_model m = c.model();
    m.nodes[0].op_type = op_type;
    m.nodes[0].domain = domain;
    write_onnx_case(folder_ / name, m, {});
  }
};

TEST_F(onnx_folder, is_judged_under_the_newest_edition_with_which_most_agree) {
  write_grouped("a", true);
  write_grouped("b", true);
  write_grouped("c", false);
  const onnx_folder_result r = judge();
  EXPECT_EQ(r.edition, "1.19");
  EXPECT_EQ(r.agreeing, 2u);
  EXPECT_EQ(class_of(r, "a"), stored_class::correctly_rounded);
  EXPECT_EQ(class_of(r, "c"), stored_class::another_edition);
  EXPECT_EQ(r.exit_code(), 1);
  EXPECT_EQ(r.cases[2].agrees_with, (std::vector<std::string>{"1.19.1", "1.22"}));
}

TEST_F(onnx_folder, of_one_old_edition_is_right) {
  write_grouped("a", true);
  EXPECT_EQ(judge().exit_code(), 0);
  EXPECT_EQ(judge({.edition = "1.22"}).exit_code(), 1);
}

TEST_F(onnx_folder, tells_correct_rounding_from_closeness) {
  write_grouped("a", false);
  write_grouped("b", false, 0x1p-19);  // one ulp of 16, some of less
  const onnx_folder_result r = judge();
  EXPECT_EQ(class_of(r, "b"), stored_class::close);
  EXPECT_EQ(r.exit_code(), 0);
}

TEST_F(onnx_folder, says_which_conventions_a_wrong_case_would_fit) {
  // Heads tile, as before 1.19.1; inputs are transposed, and the cap acts first, as from 1.22 on.
  const small_case c{.query_heads = 4,
                     .kv_heads = 2,
                     .attributes = {{"softcap", 2.0}},
                     .attn_mask = array{nullptr, {1, 3}, {1, 1, 0}, element_kind::boolean}};
  write("odd", c, c.output([&](auto b, auto h, auto i) {
    return mean_of_kept(c, b, h % 2, i, [](auto, auto, auto j) { return j != 2; });
  }));
  const onnx_folder_result r = judge();
  EXPECT_EQ(class_of(r, "odd"), stored_class::wrong);
  EXPECT_NE(r.cases[0].fits.find("heads=tile, soft_cap=before_mask"), std::string::npos)
      << r.cases[0].fits;
}

TEST_F(onnx_folder, with_a_wrong_answer_fails) {
  write_grouped("a", false);
  write_grouped("b", false, 0.25);
  const onnx_folder_result r = judge();
  EXPECT_EQ(class_of(r, "b"), stored_class::wrong);
  EXPECT_EQ(r.cases[1].fits, "");
  EXPECT_EQ(r.exit_code(), 1);
}

TEST_F(onnx_folder, leaves_other_operators_out_and_names_those_of_attention) {
  write_grouped("a", false);
  write_operator("add", "Add");
  write_operator("flex", "FlexAttention", "some.domain");
  write_operator("linear", "LinearAttention");
  const onnx_folder_result r = judge();
  EXPECT_EQ(r.others, 1);
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[1].not_judged, "FlexAttention (some.domain)");
  EXPECT_EQ(r.cases[2].not_judged, "LinearAttention in opset 24");
  EXPECT_EQ(r.exit_code(), 3);
}

TEST_F(onnx_folder, without_a_case_that_is_judged_is_refused) {
  write_operator("linear", "LinearAttention");
  const std::string message = message_of([&] { judge(); });
  EXPECT_NE(message.find("linear: LinearAttention in opset 24; allowed: one node Attention"),
            std::string::npos)
      << message;
}

TEST_F(onnx_folder, without_attention_is_refused) {
  write_operator("add", "Add");
  EXPECT_NE(message_of([&] { judge(); }).find("cases of which none is about attention"),
            std::string::npos);
}

TEST_F(onnx_folder, judges_an_expanded_case_as_the_one_it_was_made_from) {
  write_grouped("test_attention", false);
  write_grouped("test_attention_expanded", false);
  write_operator("test_attention_expanded", "MatMul");
  write_operator("test_attention_gone_expanded", "MatMul");
  write_operator("test_gelu_expanded", "Erf");
  const onnx_folder_result r = judge();
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[1].expands, "test_attention");
  EXPECT_EQ(r.cases[1].found, stored_class::correctly_rounded);
  EXPECT_EQ(r.cases[2].not_judged,
            "expanded from test_attention_gone, which does not lie beside it");
  EXPECT_EQ(r.others, 1);
}

TEST_F(onnx_folder, puts_its_cases_to_a_subject) {
  write_grouped("a", true);
  write_grouped("b", true, 0.25);  // what is stored does not matter then
  const auto repeats = open_builtin("float32");
  const onnx_folder_result other = judge({.edition = "1.18", .subject = repeats.get()});
  EXPECT_EQ(other.cases[0].of_subject->outcome, verdict::unsupported);
  EXPECT_EQ(other.cases[0].of_subject->reason, "its profile attest differs in heads");
  EXPECT_EQ(other.exit_code(), 3);
  const onnx_folder_result same = judge({.edition = "1.22", .subject = repeats.get()});
  EXPECT_EQ(same.cases[0].of_subject->outcome, verdict::holds);
}

TEST_F(onnx_folder, fails_a_subject_that_answers_wrongly) {
  write_grouped("a", false);
  scripted_subject s;
  s.does([](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    o.set({0, 1, 0, 0}, o.at({0, 1, 0, 0}) + 1);
    return answer_outcome{};
  });
  const onnx_folder_result r = judge({.edition = "", .subject = &s});
  EXPECT_EQ(r.cases[0].of_subject->outcome, verdict::violated);
  EXPECT_EQ(r.cases[0].of_subject->worst->where, "Y[b=0,h=1,i=0,d=0]");
  EXPECT_EQ(r.exit_code(), 1);
}

TEST_F(onnx_folder, does_not_hold_against_a_subject_what_it_does_not_declare) {
  write_grouped("a", false);
  scripted_subject s(feature_set::all().without(feature::grouped_heads));
  const onnx_folder_result r = judge({.edition = "", .subject = &s});
  EXPECT_EQ(r.cases[0].of_subject->reason, "does not declare grouped_heads");
  EXPECT_EQ(r.exit_code(), 3);  // as nothing else is judged
}

// qk_matmul_output of mode 3, where all three keys weigh alike.
TEST_F(onnx_folder, asks_a_subject_for_weights_and_names_what_it_can_not_give) {
  const double third = round_to(f32, {}, 1.0 / 3);
  for (const std::int64_t mode : {0, 3}) {
    const small_case c{
        .past = 1, .fresh = 2, .attributes = {integer("qk_matmul_output_mode", mode)}};
    const array y = c.output([](auto, auto, auto) { return 2; });
    const array qk{
        &f32, {1, 1, 2, 3}, std::vector<double>(6, mode == 3 ? third : 0), element_kind::floating};
    onnx_data_set set{"", c.inputs(), {{"", y}}};
    for (const double x : {0.0, 1.0}) {
      std::vector<double> present;
      for (int j = 0; j < 3; ++j) present.push_back(x * (1 + j));
      set.outputs.push_back({"", {&f32, {1, 1, 3, 1}, present, element_kind::floating}});
    }
    set.outputs.push_back({"", qk});
    write_onnx_case(folder_ / ("mode" + std::to_string(mode)), c.model(), {set});
  }
  scripted_subject right;
  const onnx_folder_result r = judge({.edition = "1.22", .subject = &right});
  using names = std::vector<std::string>;
  EXPECT_EQ(r.cases[0].not_asked,
            (names{"present_key", "present_value", "qk_matmul_output of mode 0"}));
  EXPECT_EQ(r.cases[1].not_asked, (names{"present_key", "present_value"}));
  EXPECT_EQ(r.cases[0].of_subject->judged, 2);
  EXPECT_EQ(r.cases[1].of_subject->judged, 2 + 6);
  EXPECT_EQ(r.exit_code(), 0);
}

TEST_F(onnx_folder, fails_a_subject_whose_weights_are_wrong) {
  const small_case c{.attributes = {integer("qk_matmul_output_mode", 3)}};
  const double third = round_to(f32, {}, 1.0 / 3);
  const array y = c.output([](auto, auto, auto) { return 2; });
  write_onnx_case(
      folder_ / "a", c.model(),
      {{"",
        c.inputs(),
        {{"", y},
         {"", {&f32, {1, 1, 2, 3}, std::vector<double>(6, third), element_kind::floating}}}}});
  scripted_subject s;
  s.does([](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    if (p.v.at(0, 0, 1, 0) == 0) o.set({0, 0, 0, 0}, o.at(0, 0, 0, 0) + 0.25);
    return answer_outcome{};
  });
  const onnx_folder_result r = judge({.edition = "", .subject = &s});
  EXPECT_EQ(r.cases[0].of_subject->outcome, verdict::violated);
  EXPECT_EQ(r.cases[0].of_subject->worst->what, "qk_matmul_output");
}

// --- The vectors of ONNX itself, where they are at hand ---

struct published_vectors {
  const char* folder;
  const char* edition;
  std::size_t cases;

  friend std::ostream& operator<<(std::ostream& out, const published_vectors& x) {
    return out << x.folder;
  }
};

class onnx_vectors : public ::testing::TestWithParam<published_vectors> {};

TEST_P(onnx_vectors, are_correctly_rounded_under_their_edition) {
  const char* given = std::getenv("ATTEST_ONNX_VECTORS");
  if (given == nullptr) GTEST_SKIP() << "ATTEST_ONNX_VECTORS names no folder";
  const fs::path folder = fs::path(given) / GetParam().folder;
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there";
  const onnx_folder_result r = judge_onnx_folder(folder, {});
  EXPECT_EQ(r.edition, GetParam().edition);
  EXPECT_EQ(r.agreeing, GetParam().cases);
  EXPECT_EQ(r.cases.size(), GetParam().cases);
  for (const onnx_case_result& c : r.cases)
    EXPECT_EQ(c.found, stored_class::correctly_rounded) << c.name;
  EXPECT_EQ(r.exit_code(), 0);
}

INSTANTIATE_TEST_SUITE_P(published, onnx_vectors,
                         ::testing::Values(published_vectors{"main_6be0677", "1.22", 76},
                                           published_vectors{"v1.18.0", "1.18", 47}));

}  // namespace
}  // namespace attest
