#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { factor_of_q = 480 };

// Regimes whose scores fill the range of a format leave no room for a factor.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::scale)) return std::nullopt;
  const bool is_extreme = spec.regime == value_regime::negative_scores ||
                          spec.regime == value_regime::near_overflow ||
                          spec.regime == value_regime::subnormal;
  if (is_extreme) spec.regime = value_regime::normal;
  if (!spec.scale) spec.scale = 0.375;
  return spec;
}

// A power of two or its negative.
double factor(std::uint64_t seed) {
  constexpr double factors[] = {-1, 2, -0.5, 4, -4, 0.25};
  return factors[random_below(seed, factor_of_q, 0, std::size(factors))];
}

// Whether no element leaves the normal numbers: then the product is exact.
bool stays_exact(const tensor& q, double f) {
  bool exact = true;
  for_each_index(q.sizes(), [&](const index4& i) {
    const double x = std::fabs(q.at(i)), y = x * std::fabs(f);
    exact = exact &&
            (x == 0 || (y >= smallest_normal(q.element()) && y <= largest_finite(q.element())));
  });
  return exact;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const double f = stays_exact(p.q, factor(spec.seed)) ? factor(spec.seed) : -1;
  problem other = p;
  for_each_index(p.q.sizes(), [&](const index4& i) { other.q.set(i, f * p.q.at(i)); });
  other.scale = *p.scale / f;
  return judge_pair(p, other, subject, "answer after a factor moved from the scale to q",
                    [](const row_index&) { return known_change{}; });
}

}  // namespace

const property scale_goes_with_q{
    .name = "scale_goes_with_q",
    .theme = "scores",
    .statement =
        "The scale multiplies the product of q and k: a factor moved from it to q changes "
        "nothing, a negative one included.",
    .method =
        "q times a power of two or its negative, the scale divided by it: f(q, k, c) = "
        "f(-4 q, k, -c / 4).",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/probes.md#pairs",
    .claim = "bilinear",
    .needs = "a given scale",
    .catches =
        "a scale ignored, replaced by the default, applied twice, by its size only, or to the "
        "bias as well; a square root of it on q and k",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .plain_group = false,
    .base_problems = 4,
    .scorers = {scorer::scaled_dot, scorer::dot, scorer::general},
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
