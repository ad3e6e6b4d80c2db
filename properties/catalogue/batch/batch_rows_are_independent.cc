#include <algorithm>

#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  spec.dims.batch = std::max<std::int64_t>(spec.dims.batch, 2);
  return spec;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer together = subject.ask(p);
  if (together.refusal) return *together.refusal;
  judgement j;
  for (std::int64_t b = 0; b < p.dims.batch; ++b) {
    selection one = everything(p);
    one.batch = {b};
    if (const auto refusal = judge_part_alone(j, subject, {p, together}, one, spec.placed,
                                              "output of a batch row without the others"))
      return *refusal;
  }
  return j;
}

}  // namespace

const property batch_rows_are_independent{
    .name = "batch_rows_are_independent",
    .theme = "batch",
    .statement =
        "A batch row gives the same output whether it is computed alone or with others, of other "
        "lengths too.",
    .method = "Each batch row alone, with its own length, against the same rows of the batch.",
    .bound =
        "the sum of forward_bound of both problems; 0 where the contract declares "
        "batch_invariant. Other bits are an observation",
    .proof = "derivation/bounds/same_rows.md#batch-rows",
    .claim = "loop_vectorised",
    .needs = "nothing",
    .catches =
        "batch strides and offsets, the length, mask or bias of another batch row, anchors from "
        "the longest row, scratch space that batch rows share",
    .admits = feature_set::all(),
    .groups = feature_set()
                  .with(feature::lengths)
                  .with(feature::causal_bottom_right)
                  .with(feature::mask)
                  .with(feature::bias)
                  .with(feature::strides),
    .base_problems = 3,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
