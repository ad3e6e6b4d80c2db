#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/same_answer.h"
#include "properties/weights_probe.h"
#include "reference/definition/dropout.h"

namespace attest {
namespace {

// One-hot columns take the place of v.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::dropout)) return std::nullopt;
  if (!spec.dropout_axes) {
    spec.dropout_axes = every_axis;
    spec.dropout_scale = 1 / 0.7;
  }
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::normal;
  return spec;
}

problem without_dropout(problem p) {
  p.dropout_mask.reset();
  p.dropout_scale = 1;
  return p;
}

problem with_everything_kept(problem p) {
  p.dropout_scale = 1;
  for_each_index(p.dims.score_sizes(), [&](const index4& i) { p.dropout_mask->set(i, true); });
  return p;
}

problem with_scale_doubled(problem p) {
  p.dropout_scale *= 2;
  return p;
}

// What is due of one evaluation where another one showed `seen`, and is `factor` times as large.
due multiple(const due& one, const due& other, double seen, double factor) {
  const double value = factor * seen, rounded = 0x1p-52 * std::fabs(value);
  const auto likely = [](const due& d) { return std::fmin(d.bound, d.likely); };
  due result = other;
  result.value = {value, 0, 0};
  result.bound = factor * one.bound + other.bound + rounded;
  result.likely = factor * likely(one) + likely(other) + rounded;
  return result;
}

// Calls visit(row, reference of one, reference of the other) for the rows whose bounds both hold
// and that see a key.
template <class Visit>
void for_each_pair_of_rows(judgement& j, const terms& on, const problem& one, const problem& other,
                           Visit visit) {
  certified_rows rows_of_one(one), rows_of_other(other);
  for_each_row(one.dims, [&](const row_index& row) {
    const row_reference first(rows_of_one, on, row), second(rows_of_other, on, row);
    ++j.rows;
    if (!first.bound().in_domain() || !second.bound().in_domain())
      ++j.out_of_domain;
    else if (!first.exact().empty())
      visit(row, first, second);
  });
}

std::string place_of_weight(const row_index& row, std::int64_t key) {
  return place_of("weight", row, -1) + " of key " + std::to_string(key);
}

// Without dropout, and with it.
struct both_weights {
  observed_weights all, kept;
};

void judge_weights(judgement& j, const terms& on, const problem& p, const both_weights& seen) {
  if (p.dims.keys == 0) return;
  const problem probe = one_hot_columns_at_once(p);
  for_each_pair_of_rows(
      j, on, without_dropout(probe), probe,
      [&](const row_index& row, const row_reference& plain, const row_reference& dropped) {
        for (std::int64_t key = 0; key < p.dims.keys; ++key) {
          const bool is_dropped = drops(p, row, key);
          const due kept = is_dropped ? due{}
                                      : multiple(plain.output(key), dropped.output(key),
                                                 seen.all.at(row, key), p.dropout_scale);
          judge_element(j, kept, seen.kept.at(row, key), place_of_weight(row, key),
                        is_dropped ? "weight of a dropped key" : "weight of a kept key");
        }
      });
}

void judge_doubled(judgement& j, const terms& on, const answered_problem& once,
                   const answered_problem& twice) {
  for_each_pair_of_rows(
      j, on, once.posed, twice.posed,
      [&](const row_index& row, const row_reference& one, const row_reference& other) {
        for (std::int64_t d = 0; d < once.posed.dims.value_width; ++d)
          judge_element(
              j,
              multiple(one.output(d), other.output(d), once.given.o.at(row.b, row.h, row.i, d), 2),
              twice.given.o.at(row.b, row.h, row.i, d), place_of("o", row, d),
              "output of twice the scale of dropout");
      });
}

void judge_lse(judgement& j, const terms& on, const answered_problem& one,
               const answered_problem& other, const char* what) {
  if (!one.given.lse || !other.given.lse) return;
  for_each_pair_of_rows(
      j, on, one.posed, other.posed,
      [&](const row_index& row, const row_reference& first, const row_reference& second) {
        judge_two(j, {first.lse(), one.given.lse->at(row.b, row.h, row.i, 0)},
                  {second.lse(), other.given.lse->at(row.b, row.h, row.i, 0)},
                  place_of("lse", row, -1), what);
      });
}

void judge_outputs(judgement& j, const terms& on, const answered_problem& one,
                   const answered_problem& other, const char* what) {
  for_each_pair_of_rows(
      j, on, one.posed, other.posed,
      [&](const row_index& row, const row_reference& first, const row_reference& second) {
        for (std::int64_t d = 0; d < one.posed.dims.value_width; ++d)
          judge_two(j, {first.output(d), one.given.o.at(row.b, row.h, row.i, d)},
                    {second.output(d), other.given.o.at(row.b, row.h, row.i, d)},
                    place_of("o", row, d), what);
      });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec), plain = without_dropout(p);
  const problem doubled = with_scale_doubled(p), whole = with_everything_kept(p);
  const both_weights weights{read_weights(plain, subject), read_weights(p, subject)};
  for (const auto* refusal : {&weights.all.refusal, &weights.kept.refusal})
    if (*refusal) return **refusal;
  const answer of_p = subject.ask(p), of_plain = subject.ask(plain);
  const answer of_doubled = subject.ask(doubled), of_whole = subject.ask(whole);
  for (const answer* each : {&of_p, &of_plain, &of_doubled, &of_whole})
    if (each->refusal) return *each->refusal;
  const terms on = subject.terms_for(p);
  judgement j;
  judge_weights(j, on, p, weights);
  judge_doubled(j, on, {p, of_p}, {doubled, of_doubled});
  judge_lse(j, on, {plain, of_plain}, {p, of_p}, "lse under dropout");
  judge_outputs(j, on, {plain, of_plain}, {whole, of_whole}, "output where dropout keeps all");
  judge_lse(j, on, {plain, of_plain}, {whole, of_whole}, "lse where dropout keeps all");
  return j;
}

}  // namespace

const property dropout_scales_kept_weights{
    .name = "dropout_scales_kept_weights",
    .theme = "weights",
    .statement =
        "Dropout makes a dropped weight exactly 0 and a kept one its scale times what it is "
        "without; lse stays, the output goes with the scale, and a mask that keeps all with a "
        "scale of 1 changes nothing.",
    .method =
        "Every weight is read off twice, by V with one-hot columns, with the mask and without; "
        "then the output is asked once more with twice the scale, without dropout, and with "
        "everything kept.",
    .bound =
        "the sum of forward_bound of both problems, that of the smaller one times the factor; 0 "
        "for the weight of a dropped key",
    .proof = "derivation/bounds/forward.md#dropout",
    .claim = "two_products",
    .needs = "a dropout mask",
    .catches =
        "p or 1 - p in the place of 1 / (1 - p), a scale forgotten or applied twice, masks "
        "inverted or of another row, dropped keys left out of the sum",
    .admits = feature_set::all(),
    .groups = feature_set()
                  .with(feature::dropout)
                  .with(feature::mask)
                  .with(feature::causal_bottom_right)
                  .with(feature::window)
                  .with(feature::grouped_heads)
                  .with(feature::sink),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
