#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) { return spec; }

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer a = subject.ask(p);
  return a.refusal ? *a.refusal : judge_answer(p, a, subject.terms_for(p));
}

}  // namespace

const property matches_definition{
    .name = "matches_definition",
    .theme = "definition",
    .statement =
        "Every output, and every lse returned, is what the definition gives, as far as the "
        "declared "
        "arithmetic allows.",
    .method =
        "Random problems of every value regime; each element is compared with an evaluation to 100 "
        "digits: "
        "its class (finite, NaN, infinity) first, then its distance.",
    .bound = "forward_bound: scores, exponential, sums and end of the contract, element by element",
    .proof = "derivation/bounds/forward.md",
    .claim = "one_cell",
    .needs = "nothing",
    .catches = "any defect that moves an output further than rounding can",
    .admits = feature_set::all(),
    .groups = feature_set::all(),
    .long_rows = true,
    .large_calls = 2,
    .vast_calls = true,
    .base_problems = 14,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
