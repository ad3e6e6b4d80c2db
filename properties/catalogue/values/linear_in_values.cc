#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { first_values = 384, second_values };

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::normal;
  return spec;
}

// Integers from -largest to largest, exact in every format up to 8.
tensor small_integers(const problem& p, std::uint64_t seed, stream s, std::int64_t largest) {
  tensor v = p.v;
  for_each_index(v.sizes(), [&](const index4& i) {
    const auto number = (static_cast<std::uint64_t>(i[0]) << 52) ^
                        (static_cast<std::uint64_t>(i[1]) << 42) ^
                        (static_cast<std::uint64_t>(i[2]) << 16) ^ static_cast<std::uint64_t>(i[3]);
    const auto n = random_below(seed, s, number, static_cast<std::uint64_t>(2 * largest + 1));
    v.set(i, static_cast<double>(n) - static_cast<double>(largest));
  });
  return v;
}

double combination(double v, double w) { return 2 * v - w; }

// One q and k, with v, w and 2 v - w in the place of v.
struct three_problems {
  problem v, w, both;
};

three_problems prepare(const problem_spec& spec) {
  const problem p = materialise(spec);
  three_problems three{p, p, p};
  three.v.v = small_integers(p, spec.seed, first_values, 2);
  three.w.v = small_integers(p, spec.seed, second_values, 4);
  for_each_index(p.v.sizes(), [&](const index4& i) {
    three.both.v.set(i, combination(three.v.v.at(i), three.w.v.at(i)));
  });
  return three;
}

due combined(const due& v, const due& w, const due& both, double seen_v, double seen_w) {
  const double value = combination(seen_v, seen_w);
  const double rounded = 0x1p-52 * std::fabs(value);
  const auto likely = [](const due& d) { return std::fmin(d.bound, d.likely); };
  due one = both;
  one.value = {value, 0, 0};
  one.bound = 2 * v.bound + w.bound + both.bound + rounded;
  one.likely = 2 * likely(v) + likely(w) + likely(both) + rounded;
  return one;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const three_problems p = prepare(spec);
  const answer v = subject.ask(p.v), w = subject.ask(p.w), both = subject.ask(p.both);
  for (const answer* a : {&v, &w, &both})
    if (a->refusal) return *a->refusal;
  const terms on = subject.terms_for(p.v);
  judgement j;
  certified_rows rows_v(p.v), rows_w(p.w), rows_both(p.both);
  for_each_row(p.v.dims, [&](const row_index& row) {
    const row_reference of_v(rows_v, on, row), of_w(rows_w, on, row), of_both(rows_both, on, row);
    ++j.rows;
    if (!of_v.bound().in_domain() || !of_w.bound().in_domain() || !of_both.bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (std::int64_t d = 0; d < p.v.dims.value_width && !of_v.exact().empty(); ++d)
      judge_element(j,
                    combined(of_v.output(d), of_w.output(d), of_both.output(d),
                             v.o.at(row.b, row.h, row.i, d), w.o.at(row.b, row.h, row.i, d)),
                    both.o.at(row.b, row.h, row.i, d), place_of("o", row, d),
                    "output of 2 v - w, from those of v and of w");
  });
  return j;
}

}  // namespace

const property linear_in_values{
    .name = "linear_in_values",
    .theme = "values",
    .statement = "The output is linear in V: that of 2 v - w is twice that of v less that of w.",
    .method =
        "Three calls with the same Q and K; v and w are small integers, so that 2 v - w is "
        "exact in every format.",
    .bound = "forward_bound of the three problems, that of v twice",
    .proof = "derivation/bounds/probes.md#linearity",
    .claim = "two_products",
    .needs = "nothing",
    .catches =
        "values clipped, squared, normalised or used as keys; weights that depend on V; "
        "values quantised with one scale for too many",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
