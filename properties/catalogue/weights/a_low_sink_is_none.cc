#include <algorithm>
#include <limits>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { depth_of_sink = 512 };

// The sink itself is chosen by the scores of the problem.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::sink)) return std::nullopt;
  spec.sink = true;
  if (spec.regime == value_regime::negative_scores) spec.regime = value_regime::normal;
  return spec;
}

// Below the largest score of every row of its head by so much that its weight is below e^-60.
std::vector<double> low_sinks(const problem& p, std::uint64_t seed) {
  constexpr double depths[] = {100, 200, 1000};
  const double depth = depths[random_below(seed, depth_of_sink, 0, std::size(depths))];
  std::vector<double> least(static_cast<std::size_t>(p.dims.query_heads), 0);
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& row) {
    double& m = least[static_cast<std::size_t>(row.h)];
    if (!rows.at(row).empty()) m = std::min(m, rows.at(row).greatest);
  });
  constexpr rounding down{.mode = rounding_mode::down};
  for (double& m : least) m = round_to(side_format(p.q.element()), down, m - depth);
  return least;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem without = materialise(spec);
  without.sink.clear();
  problem with = without;
  with.sink = low_sinks(without, spec.seed);
  return judge_pair(without, with, subject, "answer beside a sink far below all scores",
                    [](const row_index&) { return known_change{}; });
}

}  // namespace

const property a_low_sink_is_none{
    .name = "a_low_sink_is_none",
    .theme = "weights",
    .statement = "A sink far below all scores is none.",
    .method =
        "The same problem without a sink, and with one 100 to 1000 below the largest score of "
        "every row of its head.",
    .bound = "the sum of forward_bound of both problems; the sink itself has a weight below e^-100",
    .proof = "derivation/bounds/probes.md#limits",
    .claim = "row_sum",
    .needs = "a sink",
    .catches =
        "sinks limited to usual values, counted by their size, with a value of their own, or "
        "put on the scale of the scores",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
