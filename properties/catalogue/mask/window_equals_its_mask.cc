#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (spec.sliding.open() || !subject.features.has(feature::mask)) return std::nullopt;
  return without_capped_mask(spec);
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem sliding = materialise(spec);
  return judge_same_rows(subject, sliding, with_patterns_as_mask(sliding), same_bits::not_expected,
                         "output with the window as a mask");
}

}  // namespace

const property window_equals_its_mask{
    .name = "window_equals_its_mask",
    .theme = "mask",
    .statement = "A sliding window gives the same rows as a boolean mask of its band.",
    .method =
        "The band, its positions shifted by the causal anchor and the lengths, is written out as "
        "a mask; the window is dropped, patterns with it, and a causal flag kept.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#masks",
    .claim = "before_not_after",
    .needs = "a window and a mask",
    .catches =
        "windows a key too wide or too narrow, on one side only, counted from another anchor, "
        "applied to tiles instead of keys, rows that a window leaves empty",
    .admits = feature_set::all(),
    .groups = feature_set()
                  .with(feature::window)
                  .with(feature::causal_bottom_right)
                  .with(feature::lengths)
                  .with(feature::sink),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
