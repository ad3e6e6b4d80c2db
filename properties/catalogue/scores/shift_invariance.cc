#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { shift_vector = 160 };

// Integers in q and k and a scale that is a power of two: every score is exact in every format.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  spec.regime = value_regime::exact;
  spec.soft_cap = 0;
  spec.sink = false;
  spec.scale.reset();
  spec.dims.width = spec.dims.width < 4 ? 1 : spec.dims.width < 16 ? 4 : 16;
  if (!subject.features.has(feature::value_width)) spec.dims.value_width = spec.dims.width;
  if (spec.placed == layout::shared) spec.placed = layout::bhld;
  return spec;
}

// The largest power of two, up to 256, to which one can be added exactly and whose scores the
// contract's score stages resolve: with u T above 2^-9 or so no bound decides anything.
double step_of(const contract& c, const format& inputs) {
  const int scores = std::min({c.score_sum.number->precision, c.score_storage.number->precision,
                               c.q_conversion.to.number->precision, c.exponent.number->precision});
  return std::ldexp(1.0, std::clamp(std::min(inputs.precision - 1, scores - 10), 0, 8));
}

// w, of 0 and +-step.
std::vector<double> shift_vector_of(const problem& p, const contract& c, std::uint64_t seed) {
  std::vector<double> w;
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    const auto choice = random_below(seed, shift_vector, static_cast<std::uint64_t>(t), 3);
    w.push_back((static_cast<double>(choice) - 1) * step_of(c, p.k.element()));
  }
  return w;
}

problem shifted(const problem& p, const std::vector<double>& w) {
  problem other = p;
  for_each_index(p.k.sizes(), [&](const index4& i) {
    other.k.set(i, p.k.at(i) + w[static_cast<std::size_t>(i[3])]);
  });
  return other;
}

// c q.w, by which every score of the row moves.
double shift_of(const problem& p, const std::vector<double>& w, const row_index& row) {
  double sum = 0;
  for (std::int64_t t = 0; t < p.dims.width; ++t)
    sum += p.q.at(row.b, row.h, row.i, t) * w[static_cast<std::size_t>(t)];
  return sum * p.scale_or_usual();
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const std::vector<double> w = shift_vector_of(p, subject.contract_for(p), spec.seed);
  return judge_pair(p, shifted(p, w), subject, "answer after a shift of all scores",
                    [&](const row_index& row) {
                      return known_change{shift_of(p, w, row), 0};
                    });
}

}  // namespace

const property shift_invariance{
    .name = "shift_invariance",
    .theme = "scores",
    .statement =
        "Adding a constant to every score of a row leaves the output as it is and moves lse by the "
        "constant.",
    .method =
        "One vector w is added to every key, on integers where every score stays exact: the scores "
        "of query i "
        "all move by c q_i.w.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/forward.md#metamorphic",
    .claim = "shift",
    .needs = "softmax without soft cap and sink",
    .catches =
        "a running maximum that starts at a finite number, a fixed or missing maximum, direct "
        "ratios",
    .admits = feature_set::all()
                  .without(feature::soft_cap)
                  .without(feature::sink)
                  .without(feature::scale),
    .groups = feature_set::all()
                  .without(feature::soft_cap)
                  .without(feature::sink)
                  .without(feature::scale)
                  .without(feature::lse),
    .base_problems = 4,
    .normalizers = shift_invariant_normalizers,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
