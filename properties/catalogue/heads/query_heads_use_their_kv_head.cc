#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::normal;
  return spec;
}

// A power of two for each batch row and KV head, exact in every format; it repeats after eight.
double code_of(const problem& p, std::int64_t b, std::int64_t g) {
  constexpr int codes = 8;
  return power_of_two(static_cast<int>((b * p.dims.kv_heads + g) % codes));
}

problem coded(const problem_spec& spec) {
  problem p = materialise(spec);
  for_each_index(p.v.sizes(), [&](const index4& i) { p.v.set(i, code_of(p, i[0], i[1])); });
  return p;
}

void judge_row(judgement& j, const row_reference& row, const row_index& place, const answer& a) {
  const auto width = static_cast<std::int64_t>(row.exact().output.size());
  for (std::int64_t d = 0; d < width; ++d) {
    due one = row.output(d);
    one.scale = std::fabs(one.value.high);  // the hull of constant values is a point
    judge_element(j, one, a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                  "constant of the KV head, or its share beside a sink");
  }
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = coded(spec);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  judgement j;
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference row(rows, subject.terms_for(p), place);
    ++j.rows;
    if (!row.bound().in_domain())
      ++j.out_of_domain;
    else if (output_is_specified(p, row.exact()))
      judge_row(j, row, place, a);
  });
  return j;
}

}  // namespace

const property query_heads_use_their_kv_head{
    .name = "query_heads_use_their_kv_head",
    .theme = "heads",
    .statement =
        "Each query head mixes the values of its own KV head and batch row, and of no "
        "other; each KV head serves R query heads.",
    .method =
        "V is one constant for each batch row and KV head, a power of two: the output is that "
        "constant and names where it came from.",
    .bound =
        "forward_bound at constant v: wrong scores cancel, so it is a few roundings, while the "
        "constants differ by factors of two",
    .proof = "derivation/bounds/probes.md#constant-values",
    .claim = "gqa_mqa",
    .needs = "nothing",
    .catches =
        "tiled for repeated heads and the reverse, wrong divisors, heads never read, batch "
        "rows or heads mistaken for one another",
    .admits = feature_set::all().without(feature::dropout),
    .groups = feature_set::all().without(feature::dropout).without(feature::lse),
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = normalizers_to_1,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
