#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

constexpr feature_set patterns = feature_set()
                                     .with(feature::segments)
                                     .with(feature::dilation)
                                     .with(feature::chunks)
                                     .with(feature::global_keys)
                                     .with(feature::block_mask);

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  const bool has_any = !spec.pattern.open() || spec.packed;
  if (!has_any || !subject.features.has(feature::mask)) return std::nullopt;
  return without_capped_mask(spec);
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  return judge_same_rows(subject, p, with_patterns_as_mask(p), same_bits::not_expected,
                         "output with the pattern as a mask");
}

}  // namespace

const property patterns_equal_their_mask{
    .name = "patterns_equal_their_mask",
    .theme = "mask",
    .statement =
        "Segments, dilation, chunks, global keys and block masks give the same rows as a boolean "
        "mask of the keys that they keep.",
    .method =
        "The keys that each query sees, its position shifted by the causal anchor and the "
        "lengths, are written out as a mask; the patterns are dropped and a causal flag kept.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#masks",
    .claim = "before_not_after",
    .needs = "a pattern and a mask",
    .catches =
        "patterns counted from another position, applied to tiles instead of keys, blocks of "
        "another size, segments compared with those of other rows, global keys that escape the "
        "causal triangle",
    .admits = feature_set::all(),
    .groups = patterns.with(feature::causal_bottom_right).with(feature::lengths),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
