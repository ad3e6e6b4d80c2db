#include "properties/onnx/posed_case.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace attest
