#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/same_answer.h"
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
  return sum / std::sqrt(static_cast<double>(p.dims.width));
}

void judge_row(judgement& j, const row_reference& one, const row_reference& other,
               const answer& before, const answer& after, const row_index& row, double shift) {
  const auto width = static_cast<std::int64_t>(one.exact().output.size());
  for (std::int64_t d = 0; d < width; ++d)
    judge_element(j,
                  within_both(other.output(d), one.output(d), before.o.at(row.b, row.h, row.i, d)),
                  after.o.at(row.b, row.h, row.i, d), place_of("o", row, d),
                  "output after a shift of all scores");
  if (!before.lse) return;
  const double moved = before.lse->at(row.b, row.h, row.i, 0) + shift;
  judge_element(j, within_both(other.lse(), one.lse(), moved),
                after.lse->at(row.b, row.h, row.i, 0), place_of("lse", row, -1),
                "lse after a shift of all scores");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const terms on = subject.terms_for(p);
  const std::vector<double> w = shift_vector_of(p, on.kept, spec.seed);
  const problem moved = shifted(p, w);
  const answer before = subject.ask(p);
  const answer after = subject.ask(moved);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  judgement j;
  certified_rows rows(p), moved_rows(moved);
  for_each_row(p.dims, [&](const row_index& row) {
    const row_reference one(rows, on, row), other(moved_rows, on, row);
    ++j.rows;
    const double base = p.rules.base == lse_base::two ? 1.4426950408889634 : 1;
    if (!one.bound().in_domain() || !other.bound().in_domain())
      ++j.out_of_domain;
    else if (!one.exact().empty())
      judge_row(j, one, other, before, after, row, base * shift_of(p, w, row));
  });
  return j;
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
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
