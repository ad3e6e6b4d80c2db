#include "properties/paired_problems.h"

#include <cmath>

#include "properties/same_answer.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double log2_e = 1.4426950408889634;

// One row of both problems, and what both answers hold of it.
struct pair_of_rows {
  const row_reference& one;
  const row_reference& other;
  const answer& before;
  const answer& after;
};

void judge_outputs(judgement& j, const pair_of_rows& pair, const row_index& row, const char* what,
                   const known_change& change) {
  const auto width = static_cast<std::int64_t>(pair.one.exact().output.size());
  for (std::int64_t d = 0; d < width; ++d) {
    const double moved = expm1_double(2 * change.logits) * pair.one.bound().hull(d);
    judge_two(j, {pair.one.output(d), pair.before.o.at(row.b, row.h, row.i, d)},
              {pair.other.output(d), pair.after.o.at(row.b, row.h, row.i, d)},
              place_of("o", row, d), what, 0, moved);
  }
}

void judge_lse(judgement& j, const pair_of_rows& pair, const row_index& row, const char* what,
               const known_change& change, double base) {
  const double before = pair.before.lse->at(row.b, row.h, row.i, 0), shift = base * change.lse;
  const double rounded = 0x1p-51 * (std::fabs(shift) + std::fabs(before + shift));
  judge_two(j, {pair.one.lse(), before},
            {pair.other.lse(), pair.after.lse->at(row.b, row.h, row.i, 0)},
            place_of("lse", row, -1), what, shift, base * change.logits + rounded);
}

}  // namespace

judgement judge_pair(const problem& one, const problem& other, examiner& subject, const char* what,
                     const std::function<known_change(const row_index&)>& change_of) {
  const answer before = subject.ask(one);
  const answer after = subject.ask(other);
  if (before.refusal || after.refusal) return before.refusal ? *before.refusal : *after.refusal;
  const terms on = subject.terms_for(one);
  const double base = one.rules.base == lse_base::two ? log2_e : 1;
  judgement j;
  certified_rows rows(one), other_rows(other);
  for_each_row(one.dims, [&](const row_index& row) {
    const row_reference first(rows, on, row), second(other_rows, on, row);
    ++j.rows;
    if (!first.bound().in_domain() || !second.bound().in_domain()) {
      ++j.out_of_domain;
      return;
    }
    if (first.exact().empty() || second.exact().empty()) return;
    const pair_of_rows pair{first, second, before, after};
    const known_change change = change_of(row);
    judge_outputs(j, pair, row, what, change);
    if (before.lse) judge_lse(j, pair, row, what, change, base);
  });
  return j;
}

}  // namespace attest
