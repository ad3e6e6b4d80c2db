#include "properties/onnx/posed_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/onnx/call_problem.h"
#include "reference/certified/rounded.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

// The problem that somebody reads from the files of the case.
problem read_back(const posed_case& c, const std::vector<double>& o) {
  const onnx_model model = read_onnx_model(onnx_model_bytes(c.model), "m");
  onnx_data_set set = c.with_output(o);
  for (onnx_tensor& t : set.inputs) t = read_onnx_tensor(onnx_tensor_bytes(t), "t");
  EXPECT_EQ(why_not_judged(model), "");
  return to_problem(read_attention_call(model, set, "case"), onnx_editions().back().conventions);
}

TEST(posed_case, means_the_problem_that_it_was_made_of) {
  const char* const problems[] = {
      "B=2 Hq=4 Hkv=2 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal seed=1",
      "B=1 Hq=2 Hkv=1 Lq=3 Lk=3 D=4 Dv=4 dtype=f16 regime=normal causal=top_left seed=2",
      "B=2 Hq=2 Hkv=2 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal causal=bottom_right seed=3",
      "B=2 Hq=1 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal causal=bottom_right "
      "lengths=1 seed=4",
      "B=2 Hq=1 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal causal=top_left lengths=1 "
      "seed=5",
      "B=2 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=bf16 regime=normal window=1,1 mask=hk seed=6",
      "B=2 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=f64 regime=normal mask=bk bias=q seed=7",
      "B=1 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal scale=0.5 soft_cap=2 bias=bhqk "
      "seed=8",
  };
  for (const char* line : problems) {
    const problem p = materialise(parse_problem_line(line));
    const posed_case c = to_onnx_case(p);
    ASSERT_EQ(c.refused, "") << line;
    const std::vector<double> due = round_correctly(p, p.q.element()).output;
    EXPECT_EQ(round_correctly(read_back(c, due), p.q.element()).output, due) << line;
  }
}

// The operator multiplies what lies there by 0.
TEST(posed_case, holds_no_poison_where_no_key_is) {
  problem p = materialise(
      parse_problem_line("B=2 Hq=1 Hkv=1 Lq=3 Lk=5 D=4 Dv=3 dtype=f32 regime=normal lengths=1 "
                         "bias=bk seed=3"));
  p.lengths = {2, 5};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  p.k.set({0, 0, 3, 1}, nan);
  p.v.set({0, 0, 4, 0}, nan);
  p.bias->set({0, 0, 0, 2}, nan);
  for (const onnx_tensor& t : to_onnx_case(p).inputs)
    for (const double x : t.held.values) EXPECT_FALSE(std::isnan(x)) << t.name;
}

TEST(posed_case, says_why_it_can_not_be_asked) {
  const auto refused = [](const char* more) {
    return to_onnx_case(materialise(parse_problem_line(
                            std::string("B=1 Hq=1 Hkv=1 Lq=1 Lk=2 D=1 Dv=1 ") + more)))
        .refused;
  };
  EXPECT_EQ(refused("seed=1"), "");
  EXPECT_EQ(refused("scale=-2"), "a scale below 0");
  EXPECT_EQ(refused("scale=0.1"), "a scale that is no float");
  EXPECT_EQ(refused("sink=1"), "a sink");
}

}  // namespace
}  // namespace attest
