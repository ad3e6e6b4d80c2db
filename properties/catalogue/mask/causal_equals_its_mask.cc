#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (spec.causal == causal_anchor::none || !subject.features.has(feature::mask))
    return std::nullopt;
  return without_capped_mask(spec);
}

// Windows and patterns count from positions that the causal anchor shifts: all become the mask. So
// do slopes, which no mask stands for.
problem masked(const problem& p) {
  problem other = with_patterns_as_mask(p);
  other.causal = causal_anchor::none;
  return other;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem causal = materialise(spec);
  return judge_same_rows(subject, causal, masked(causal), same_bits::not_expected,
                         "output with the causal triangle as a mask");
}

}  // namespace

const property causal_equals_its_mask{
    .name = "causal_equals_its_mask",
    .theme = "mask",
    .statement = "A causal flag gives the same rows as a boolean mask of its triangle.",
    .method =
        "The triangle of either anchor, lengths included, is written out as a mask, together "
        "with a window where there is one; the flag is dropped.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#masks",
    .claim = "before_not_after",
    .needs = "a causal flag and a mask",
    .catches =
        "wrong anchors where Lq differs from Lk, anchors at the padded length, diagonals "
        "excluded, tiles skipped or left unmasked, empty rows that depend on what emptied them",
    .admits = feature_set::all().without(feature::alibi),
    .groups = feature_set()
                  .with(feature::causal_top_left)
                  .with(feature::causal_bottom_right)
                  .with(feature::lengths)
                  .with(feature::window),
    .plain_group = false,
    .base_problems = 4,
    .scorers = scorers_without_positions,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
