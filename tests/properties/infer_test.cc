// The contract that answers are consistent with, and what speaks against tighter ones.
#include "properties/infer/infer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

inference infer_first(subject& s, int problems = 42) {
  return infer_contracts(s, {.seed = 5, .problems = problems}, {}).front();
}

struct infer_case {
  std::string_view subject;
  std::string_view preset;
  std::string_view missing;  // one of the fields without which it fails
};

TEST(infer, names_the_tightest_preset_and_what_the_next_tighter_lacks) {
  constexpr infer_case cases[] = {
      {"builtin:float64", "float64", ""},
      {"builtin:float32", "float32", ""},
      {"builtin:fp16", "fp16-flash", ""},
      {"builtin:fp16-eager", "fp16-eager", "score_storage"},
      {"builtin:fp16-accumulate", "fp16-accumulate", "exponent"},
      {"builtin:bf16/split-kv=3", "bf16-flash", ""},
      {"builtin:bf16-eager", "bf16-eager", "score_storage"},
      {"builtin:fp8", "fp8-flash", ""},
  };
  for (const infer_case& c : cases) {
    const inference found = infer_first(*open_subject(c.subject));
    ASSERT_TRUE(found.tightest) << c.subject;
    EXPECT_EQ(found.presets[*found.tightest].tried.name, c.preset) << c.subject;
    const auto names = [&](const field_trial& f) { return f.field == c.missing; };
    EXPECT_EQ(std::any_of(found.explanation.begin(), found.explanation.end(), names),
              !c.missing.empty())
        << c.subject;
    for (const field_trial& f : found.tightened) EXPECT_LE(f.worst_ratio, 1) << f.field;
  }
}

TEST(infer, finds_no_preset_for_wrong_answers) {
  scripted_subject wrong;
  wrong.does([](problem& p, tensor& o, tensor* lse) {
    scripted_subject::answer_rightly(p, o, lse);
    for_each_index(p.dims.o_sizes(), [&](const index4& i) { o.set(i, 0); });
    return answer_outcome{};
  });
  const inference found = infer_first(wrong, 28);
  EXPECT_FALSE(found.tightest);
  ASSERT_FALSE(found.presets.empty());
  for (const contract_trial& t : found.presets) {
    EXPECT_GT(t.worst_ratio, 1) << t.tried.name;
    EXPECT_FALSE(t.problem.empty());
    EXPECT_FALSE(t.place.empty());
  }
}

TEST(infer, keeps_what_was_found_when_it_is_stopped) {
  scripted_subject s;
  int steps = 0;
  const auto list =
      infer_contracts(s, {.seed = 5, .problems = 28}, [&](auto, auto) { return ++steps < 10; });
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(steps, 10);
}

}  // namespace
}  // namespace attest
