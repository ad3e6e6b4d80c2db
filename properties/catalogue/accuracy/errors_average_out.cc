#include <cmath>

#include "derivation/bounds/bias.h"
#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { sizes_of_values = 272 };

// 512 rows of 32 outputs: 16,384 errors.
constexpr shape rows_of_outputs{.batch = 2,
                                .query_heads = 4,
                                .kv_heads = 4,
                                .queries = 64,
                                .keys = 64,
                                .width = 32,
                                .value_width = 32};
constexpr double tests_of_a_run = 0x1p20;  // at most
constexpr double telling_ulps = 0.45;      // truncation is 0.5 on average

std::optional<problem_spec> adapt(problem_spec drawn, const subject_info& subject) {
  if (!errors_average_out_under(subject.contract_for(*drawn.inputs))) return std::nullopt;
  problem_spec spec;
  spec.dims = rows_of_outputs;
  spec.inputs = drawn.inputs;
  spec.profile = drawn.profile;
  spec.seed = drawn.seed;
  return spec;
}

// Columns in turn in [1, 2) and (-2, -1], so that a mean of them stays where the ulp is the same.
void set_values(problem& p, std::uint64_t seed) {
  for_each_index(p.v.sizes(), [&](const index4& i) {
    const auto number = static_cast<std::uint64_t>(
        ((i[0] * p.dims.kv_heads + i[1]) * p.dims.keys + i[2]) * p.dims.value_width + i[3]);
    const double size = 1 + random_unit(seed, sizes_of_values, number);
    const double stored = round_to(p.v.element(), {rounding_mode::to_zero}, size);
    p.v.set(i, i[3] % 2 == 0 ? stored : -stored);
  });
}

// Sums of errors, in ulps.
struct error_sums {
  double plain = 0;
  double outward = 0;  // away from 0
};

void add_errors(error_sums& sums, const answer& a, const exact_row& row, const row_index& place,
                double ulp) {
  for (std::size_t d = 0; d < row.output.size(); ++d) {
    const enclosure& o = row.output[d];
    const double seen = a.o.at(place.b, place.h, place.i, static_cast<std::int64_t>(d));
    const double error = ((seen - o.high) - o.low) / ulp;
    sums.plain += error;
    sums.outward += std::copysign(1.0, o.high) * error;
  }
}

void judge_mean(judgement& j, double sum, const mean_error_bound& bound, double false_alarm,
                const char* what) {
  constexpr double never_proved = std::numeric_limits<double>::infinity();
  judge_element(j,
                {{0, 0, 0},
                 never_proved,
                 telling_ulps / vacuous_share,
                 &f64,
                 bound.ulps(false_alarm / tests_of_a_run)},
                sum / static_cast<double>(bound.outputs()), "all rows", what);
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  set_values(p, spec.seed);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  const terms on = subject.terms_for(p);
  const contract one_sided = without_averaging_roundings(on.kept);
  judgement j;
  error_sums sums;
  mean_error_bound bound(on.kept);
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const exact_row& row = rows.at(place);
    const forward_bound unaveraged(one_sided, p, place, row);
    double allowed = 0;
    for (std::int64_t d = 0; d < p.dims.value_width; ++d) allowed += unaveraged.output(d);
    bound.add_row(row, allowed);
    add_errors(sums, a, row, place, ulp_of_one(*on.kept.output));
    ++j.rows;
  });
  judge_mean(j, sums.outward, bound, on.sure.false_alarm, "mean error away from 0, in ulps");
  judge_mean(j, sums.plain, bound, on.sure.false_alarm, "mean error, in ulps");
  return j;
}

}  // namespace

const property errors_average_out{
    .name = "errors_average_out",
    .theme = "accuracy",
    .statement =
        "Roundings to nearest average out: over many outputs the mean error is far below half an "
        "ulp, upwards and away from 0.",
    .method =
        "16,384 outputs of a size in [1, 2), half of them negative, are compared with the exact "
        "ones; their errors are added with their sign, plain and away from 0.",
    .bound =
        "what the contract lets push errors to one side, and Hoeffding's deviation of its two "
        "roundings to nearest, of weights row by row; false-alarm probability 1e-9 over a run",
    .proof = "derivation/bounds/bias.md",
    .claim = "one_cell",
    .needs = "a contract that rounds output and stored weights to nearest from a wider format",
    .catches =
        "an output or weights stored by truncation, a denominator of other weights than the "
        "numerator's: each within an ulp, and adding up over layers",
    .admits = feature_set().with(feature::lse),
    .groups = feature_set(),
    .base_problems = 4,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
