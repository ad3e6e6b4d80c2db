#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/weights_probe.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { operand_of_zeros = 256 };

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  spec.regime = value_regime::normal;
  return spec;
}

void set_all(tensor& t, double value) {
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, value); });
}

// Every score 0: k or q is, and what a bias does not remove it leaves as it is.
problem with_equal_scores(const problem_spec& spec) {
  problem p = materialise(spec);
  set_all(random_below(spec.seed, operand_of_zeros, 0, 2) == 0 ? p.k : p.q, 0);
  if (p.bias)
    for_each_index(p.bias->sizes(), [&](const index4& i) {
      if (std::isfinite(p.bias->at(i))) p.bias->set(i, 0);
    });
  return p;
}

void judge_lse(judgement& j, const problem& p, examiner& subject) {
  const answer a = subject.ask(p);
  if (a.refusal || !a.lse) return;
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference row(rows, subject.terms_for(p), place);
    if (lse_is_specified(p, row.exact()))
      judge_element(j, row.lse(), a.lse->at(place.b, place.h, place.i, 0),
                    place_of("lse", place, -1), "lse of equal scores: ln n");
  });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = with_equal_scores(spec);
  const observed_weights weights = read_weights(p, subject);
  if (weights.refusal) return *weights.refusal;
  judgement j;
  judge_weights(j, p, weights, subject.terms_for(p), "weight of one of n keys of equal score");
  judge_lse(j, p, subject);
  return j;
}

}  // namespace

const property kept_keys_share_alike{
    .name = "kept_keys_share_alike",
    .theme = "weights",
    .statement =
        "Where all scores are 0 each of the n kept keys weighs 1/n, every other key 0, "
        "and lse is ln n; a sink weighs in with exp(sink).",
    .method = "K = 0 or Q = 0, one-hot columns of V: the weights list the key set and count it.",
    .bound =
        "forward_bound of the probe, in which the scores are exact; a key more or less is "
        "1/n of every weight",
    .proof = "derivation/bounds/probes.md#weights",
    .claim = "mean_pool",
    .needs = "no slopes: they tell the keys apart",
    .catches =
        "off-by-one windows, anchors and lengths, padding keys that count, dropped "
        "remainders of tiles and splits, lse in another base",
    .admits = feature_set::all().without(feature::dropout).without(feature::alibi),
    .groups =
        feature_set::all().without(feature::dropout).without(feature::alibi).without(feature::lse),
    .base_problems = 4,
    .scorers = {scorer::scaled_dot, scorer::dot, scorer::general, scorer::cosine},
    .normalizers = shift_invariant_normalizers,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
