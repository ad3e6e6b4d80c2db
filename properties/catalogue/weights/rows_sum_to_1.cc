#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"

namespace attest {
namespace {

// A sink takes weight from the keys.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  spec.sink = false;
  return spec;
}

void judge_row(judgement& j, const problem& p, const row_reference& row, const row_index& place,
               const answer& a) {
  for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
    due one = row.output(d);
    one.scale = 1;
    if (!row.exact().empty()) one.value = {1, 0, 0};
    judge_element(j, one, a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                  "sum of the weights");
  }
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  for_each_index(p.v.sizes(), [&](const index4& i) { p.v.set(i, 1); });
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
      judge_row(j, p, row, place, a);
  });
  return j;
}

}  // namespace

const property rows_sum_to_1{
    .name = "rows_sum_to_1",
    .theme = "weights",
    .statement = "The weights of a row with at least one key sum to 1.",
    .method = "V = ones: the output is the sum of the weights. No reference value is used.",
    .bound =
        "forward_bound at v = 1: wrong scores cancel, only sums, stored weights and the division "
        "remain",
    .proof = "derivation/bounds/forward.md",
    .claim = "row_sum",
    .needs = "no sink; an empty row follows the profile",
    .catches =
        "wrong axis, a normaliser of too few bits or other weights than the numerator's, counted "
        "tail keys, "
        "dropped splits, a finite start of the running maximum",
    .admits = feature_set::all().without(feature::dropout).without(feature::sink),
    .groups =
        feature_set::all().without(feature::dropout).without(feature::sink).without(feature::lse),
    .long_rows = true,
    .base_problems = 14,
    .scorers = every_scorer,
    .normalizers = normalizers_to_1,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
