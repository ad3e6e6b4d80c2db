#include <limits>

#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  constexpr auto needed =
      feature_set().with(feature::mask).with(feature::bias).with(feature::infinite_bias);
  if (!subject.features.contains(needed)) return std::nullopt;
  if (!spec.bias_axes) spec.bias_axes = every_axis;
  spec.infinite_bias = true;
  return spec;
}

// A key that the mask removes needs no bias of -inf any more: a finite one takes its place.
problem masked(const problem& p) {
  constexpr double any = 1;
  const auto is_finite = [&](const index4& i) {
    return p.bias->at(i) > -std::numeric_limits<double>::infinity();
  };
  problem other =
      with_mask(p, varying_axes(p.bias->where()), [&](const row_index& row, std::int64_t key) {
        return is_finite({row.b, row.h, row.i, key});
      });
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (!is_finite(i)) other.bias->set(i, any);
  });
  return other;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem biased = materialise(spec);
  return judge_same_rows(subject, biased, masked(biased), same_bits::not_expected,
                         "output with a bias of -inf as a mask");
}

}  // namespace

const property infinite_bias_equals_mask{
    .name = "infinite_bias_equals_mask",
    .theme = "mask",
    .statement = "A bias of -inf gives the same rows as a mask that removes the key.",
    .method =
        "The keys whose bias is -inf are masked instead, and their bias becomes a finite number.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#masks",
    .claim = "exp_minus_inf",
    .needs = "biases of -inf and a mask",
    .catches =
        "-inf - -inf in rows that a bias empties, a bias that is clamped, scaled or capped, "
        "masks that add a finite number",
    .admits = feature_set::all(),
    .groups =
        feature_set().with(feature::infinite_bias).with(feature::soft_cap).with(feature::sink),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
