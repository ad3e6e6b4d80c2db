#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/row_pairs.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { huge_keys = 352, kind_of_leak };

constexpr double leading_q = 8;

// A score so far below the others has a weight below all numbers of the format, even times a huge
// value.
double far_below(const format& f) { return f.precision > f32.precision ? 4000 : 1000; }

bool may_be_far(const problem_spec& spec) { return !(spec.soft_cap > 0) && spec.scale != 0.0; }

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::normal;
  return spec;
}

// Leaves room for weights above 1 on the way.
double huge(const format& f) { return power_of_two(f.max_exponent - f.max_exponent / 5); }

std::int64_t huge_key(const problem& p, std::uint64_t seed, std::int64_t g) {
  return static_cast<std::int64_t>(random_below(seed, huge_keys, static_cast<std::uint64_t>(g),
                                                static_cast<std::uint64_t>(p.dims.keys)));
}

// The score of each KV head's huge key lies far below all others.
void push_far(problem& p, std::uint64_t seed) {
  constexpr rounding saturating{.overflow = overflow_mode::saturate};
  const double c = p.scale_or_usual();
  const double low =
      round_to(p.k.element(), saturating, -far_below(p.k.element()) / (leading_q * c));
  for_each_index(p.q.sizes(), [&](const index4& i) {
    if (i[3] == 0) p.q.set(i, leading_q);
  });
  for_each_index(p.k.sizes(), [&](const index4& i) {
    if (i[3] == 0) p.k.set(i, i[2] == huge_key(p, seed, i[1]) ? low : 0);
  });
}

problem with_huge_values(const problem& p, std::uint64_t seed) {
  problem other = p;
  for_each_index(p.v.sizes(), [&](const index4& i) {
    const double sign = i[3] % 2 == 0 ? 1 : -1;
    if (i[2] == huge_key(p, seed, i[1])) other.v.set(i, sign * huge(p.v.element()));
  });
  return other;
}

void judge_seen(judgement& j, const problem& p, const answer& a, const terms& on,
                const std::function<bool(const row_index&)>& sees) {
  certified_rows rows(p);
  for_each_row(p.dims, [&](const row_index& place) {
    ++j.rows;
    if (!sees(place)) return;
    const row_reference row(rows, on, place);
    if (!row.bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    for (std::int64_t d = 0; d < p.dims.value_width; ++d)
      judge_element(j, row.output(d), a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                    "share of a huge value");
  });
}

// Bits are due only of a contract that promises that they are the row's own: a path may be chosen
// by the size of the values.
void judge_unseeing(judgement& j, const answered_problem& before, const answered_problem& after,
                    examiner& subject, const std::function<bool(const row_index&)>& does_not_see) {
  constexpr const char* what = "output beside a huge value that it must not see";
  const terms on = subject.terms_for(before.posed);
  if (on.kept.batch_invariant)
    return judge_same_answer(j, subject, before, after, what, does_not_see);
  row_pairs pairs(j, on, before, after, same_bits::not_expected, what);
  for_each_row(before.posed.dims, [&](const row_index& row) {
    if (does_not_see(row)) pairs.judge(row);
  });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  if (p.dims.keys == 0) return {};
  if (may_be_far(spec) && random_below(spec.seed, kind_of_leak, 0, 2) == 0) push_far(p, spec.seed);
  const problem other = with_huge_values(p, spec.seed);
  const answer before = subject.ask(p);
  const answer after = subject.ask(other);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  const auto sees = [&](const row_index& row) {
    return keeps(p, row, huge_key(p, spec.seed, p.kv_head(row.h)));
  };
  const terms on = subject.terms_for(p);
  judgement j;
  judge_seen(j, other, after, on, sees);
  const bool couples_rows = on.kept.quantised_to != nullptr;  // through the scale of a block
  if (!couples_rows)
    judge_unseeing(j, {p, before}, {other, after}, subject,
                   [&](const row_index& row) { return !sees(row) && !is_open(p, row); });
  return j;
}

}  // namespace

const property huge_values_do_not_leak{
    .name = "huge_values_do_not_leak",
    .theme = "values",
    .statement =
        "A huge value leaves no trace where its key is not seen or has weight 0, and its "
        "share of the output, no more, where it is seen.",
    .method =
        "One key of each KV head gets values near the top of the format. In half of the "
        "problems its score is moved 1000 or more below all others, so that its weight is 0.",
    .bound =
        "forward_bound of the rows that see the key: a weight of exp(-1000) times any value is "
        "nothing. Twice forward_bound for the others, or 0 where the contract declares "
        "batch_invariant",
    .proof = "derivation/bounds/probes.md#huge-values",
    .claim = "exp_minus_inf",
    .needs = "empty rows that are 0",
    .catches =
        "finite sentinels that leave a weight, exponentials cut off above 0, masks applied "
        "after the sum, values of a neighbouring row, accumulators that overflow early",
    .admits = feature_set::all().without(feature::dropout),
    .groups = feature_set::all().without(feature::dropout).without(feature::lse),
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
