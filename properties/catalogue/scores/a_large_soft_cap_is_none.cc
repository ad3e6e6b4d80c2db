#include <algorithm>
#include <cmath>

#include "derivation/bounds/roundings.h"
#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

// The cap itself is chosen by the scores of the problem. Where it acts after the mask, it brings
// back what the mask removes.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::soft_cap)) return std::nullopt;
  spec.soft_cap = 1;
  if (find_profile(subject.profile).cap == cap_order::after_mask)
    spec.mask_axes.reset(), spec.infinite_bias = false;
  if (spec.regime == value_regime::negative_scores) spec.regime = value_regime::normal;
  return spec;
}

// With the bias, which some conventions cap too.
double largest_score(const problem& p) {
  const double c = p.scale_or_usual();
  double largest = 0;
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    double size = 0;
    for (std::int64_t t = 0; t < p.dims.width; ++t)
      size += std::fabs(p.q.at(i[0], i[1], i[2], t) * p.k.at(i[0], p.kv_head(i[1]), i[3], t));
    const double bias = p.bias && std::isfinite(p.bias->at(i)) ? std::fabs(p.bias->at(i)) : 0;
    largest = std::max(largest, std::fabs(c) * size + bias);
  });
  return std::max(largest, 1.0);
}

// A power of two above every score, by a third of the digits that the scores have; but no cap that
// what holds the scores could not hold.
double large_cap(double score, const contract& c) {
  const double most =
      std::min(largest_finite(*c.score_sum.number), largest_finite(*c.score_storage.number)) / 4;
  double cap = power_of_two(c.score_sum.number->precision / 3);
  while (cap < most / 2 && cap < score * power_of_two(c.score_sum.number->precision / 3)) cap *= 2;
  return cap;
}

// |x - cap tanh(x / cap)| <= |x|^3 / (3 cap^2); and what a tanh whose error is small beside 1, not
// beside itself, and a quotient that underflows may add.
double moved_by_cap(double score, double cap, const contract& c) {
  const double unresolved = 4 * unit_of(c.score_sum) + 2 * underflow_of(c.score_sum);
  return score * (score / cap) * (score / cap) / 3 + unresolved * cap;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem capped = materialise(spec), uncapped = capped;
  const contract& c = subject.contract_for(capped);
  const double score = largest_score(capped);
  capped.soft_cap = large_cap(score, c);
  uncapped.soft_cap = 0;
  const double moved = moved_by_cap(score, capped.soft_cap, c);
  return judge_pair(uncapped, capped, subject, "answer under a soft cap far above all scores",
                    [&](const row_index&) {
                      return known_change{0, moved};
                    });
}

}  // namespace

const property a_large_soft_cap_is_none{
    .name = "a_large_soft_cap_is_none",
    .theme = "scores",
    .statement = "A soft cap far above all scores is none: cap tanh(r / cap) tends to r.",
    .method =
        "The same problem without a cap, and with one of 2^8 times the largest score (2^3 in "
        "half, 2^17 in double precision).",
    .bound =
        "the sum of forward_bound of both problems; the cap itself moves a score by |r|^3 / (3 "
        "cap^2), and a tanh with an error of 4 u by 4 u cap",
    .proof = "derivation/bounds/probes.md#limits",
    .claim = "one_cell",
    .needs = "a soft cap",
    .catches =
        "a cap without its outer factor or with its inverse, a cap limited to usual values, a "
        "cap after the scale or on the unscaled score, -cap for removed keys",
    .admits = feature_set::all().without(feature::alibi),
    .groups = feature_set::all().without(feature::alibi).without(feature::lse),
    .plain_group = false,
    .base_problems = 4,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
