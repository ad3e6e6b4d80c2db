#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

// The sink itself is chosen by the scores of the problem.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::sink)) return std::nullopt;
  spec.sink = true;
  if (spec.regime == value_regime::negative_scores) spec.regime = value_regime::normal;
  return spec;
}

// As far above the scores as leaves exp(sink - M) within half of the exponent's range: an
// evaluation that adds the sink last may hold it.
double height(const contract& c) {
  return std::min(40.0, std::floor(log_double(largest_finite(*c.exponent.number)) / 2));
}

std::vector<double> high_sinks(const problem& p, double above) {
  std::vector<double> most(static_cast<std::size_t>(p.dims.query_heads), 0);
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& row) {
    double& m = most[static_cast<std::size_t>(row.h)];
    if (!rows.at(row).empty()) m = std::max(m, rows.at(row).greatest);
  });
  for (double& m : most) m = round_to(side_format(p.q.element()), {}, m + above);
  return most;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  p.sink.clear();
  p.sink = high_sinks(p, height(subject.contract_for(p)));
  const answer a = subject.ask(p);
  return a.refusal ? *a.refusal : judge_answer(p, a, subject.terms_for(p));
}

}  // namespace

const property a_high_sink_takes_all{
    .name = "a_high_sink_takes_all",
    .theme = "weights",
    .statement =
        "A sink far above all scores takes all the weight: the output is 0 but for the "
        "share e^-40 of the keys, and lse is the sink.",
    .method = "A sink 40 above the largest score of any row of its head (5 in half precision).",
    .bound = "forward_bound, in which every key's weight is of the size of e^-40",
    .proof = "derivation/bounds/probes.md#limits",
    .claim = "row_sum",
    .needs = "a sink",
    .catches =
        "a sink with a value of its own, left out of the maximum or of lse, counted in one "
        "split only or in each",
    .admits = feature_set::all().without(feature::dropout),
    .groups = feature_set::all().without(feature::dropout).without(feature::lse),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
