#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/weights_probe.h"

namespace attest {
namespace {

// One-hot columns take the place of v.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::normal;
  return spec;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const observed_weights weights = read_weights(p, subject);
  if (weights.refusal) return *weights.refusal;
  judgement j;
  judge_weights(j, p, weights, subject.terms_for(p), "weight");
  return j;
}

}  // namespace

const property weights_match_definition{
    .name = "weights_match_definition",
    .theme = "weights",
    .statement =
        "Every single weight is exp(t) over the sum of its row, as far as the declared "
        "arithmetic allows.",
    .method =
        "V with one-hot columns makes each output the weight of one key: Dv keys a call, "
        "until all are read.",
    .bound =
        "forward_bound of the probe: relative to each weight, however small, where an output "
        "hides small weights behind large ones",
    .proof = "derivation/bounds/probes.md#weights",
    .claim = "mean_pool",
    .needs = "nothing",
    .catches =
        "wrong weights of keys that hardly count: scale, soft cap, bias, sink and "
        "approximate exponentials; keys dropped or counted twice",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
