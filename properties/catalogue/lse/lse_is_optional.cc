#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::lse) || !subject.lse_is_optional) return std::nullopt;
  return spec;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer with = subject.ask(p), without = subject.ask_without_lse(p);
  if (with.refusal || without.refusal) return with.refusal ? *with.refusal : *without.refusal;
  judgement j;
  row_pairs pairs(j, subject.terms_for(p), {p, with}, {p, without}, same_bits::observed,
                  "output of the same problem without lse");
  for_each_row(p.dims, [&](const row_index& row) { pairs.judge(row); });
  return j;
}

}  // namespace

const property lse_is_optional{
    .name = "lse_is_optional",
    .theme = "lse",
    .statement = "A call that does not ask for lse gives the same output as one that does.",
    .method = "Each problem twice: with a place for lse, as everywhere else, and without one.",
    .bound =
        "the sum of forward_bound of both evaluations. Other bits are an observation: a path "
        "without lse may add in another order",
    .proof = "derivation/bounds/same_rows.md#bits",
    .claim = "one_cell",
    .needs = "lse, in calls that may leave it out: those of plugins",
    .catches =
        "a path for inference that is not tested beside that for training: the last division or "
        "rescaling, a mask or the sink left to what writes the lse; lse written without asking",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .large_calls = 1,
    .base_problems = 3,
    .scorers = every_scorer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
