#include "properties/same_answer.h"

#include <cmath>

namespace attest {
namespace {

// What is due where two evaluations are compared: the first's value, within the bounds of both.
due within_both(const due& one, const due& other, double first_observed) {
  const double likely = std::fmin(one.bound, one.likely) + std::fmin(other.bound, other.likely);
  return {{first_observed, 0, 0}, one.bound + other.bound, other.scale, other.stored, likely};
}

bool same_everywhere(const tensor& a, const tensor& b) {
  bool same = true;
  for_each_index(a.sizes(), [&](const index4& i) { same = same && same_value(a.at(i), b.at(i)); });
  return same;
}

bool is_deterministic(const problem& p, examiner& subject, const answer& before) {
  const answer again = subject.ask(p);
  return again.refusal || (same_everywhere(before.o, again.o) &&
                           (!before.lse || same_everywhere(*before.lse, *again.lse)));
}

enum class determinism { not_tried, shown, refuted };

// A pair of elements, held to equality, or to twice the bound where the subject is not
// deterministic.
class pair_judge {
 public:
  pair_judge(judgement& j, const problem& p, examiner& subject, const answer& before,
             const char* what)
      : judgement_(j), problem_(p), subject_(subject), before_(before), what_(what) {}

  void judge(const tensor& before, const tensor& after, const char* name, const row_index& row,
             std::int64_t d) {
    const index4 i{row.b, row.h, row.i, std::max<std::int64_t>(d, 0)};
    const double was = before.at(i), is = after.at(i);
    const std::string where = place_of(name, row, d);
    if (same_value(was, is) || deterministic())
      return judge_element(judgement_, {{was, 0, 0}, 0, 0, &after.element()}, is, where, what_);
    const due allowed = due_at(row, d);
    judge_two(judgement_, {allowed, was}, {allowed, is}, where, what_);
  }

 private:
  bool deterministic() {
    if (determinism_ == determinism::not_tried)
      determinism_ =
          is_deterministic(problem_, subject_, before_) ? determinism::shown : determinism::refuted;
    return determinism_ == determinism::shown;
  }

  due due_at(const row_index& row, std::int64_t d) const {
    certified_rows rows(problem_);
    const row_reference reference(rows, subject_.terms_for(problem_), row);
    return d < 0 ? reference.lse() : reference.output(d);
  }

  judgement& judgement_;
  const problem& problem_;
  examiner& subject_;
  const answer& before_;
  const char* what_;
  determinism determinism_ = determinism::not_tried;
};

}  // namespace

bool is_open(const problem& p, const row_index& row) {
  return p.sink.empty() && key_set(p, row).empty() && rule_of_empty_row(p, row) != empty_row::zero;
}

bool is_never_read(const problem& p, const row_index& row, std::int64_t key) {
  if (key >= p.valid_keys(row.b)) return true;
  const bool stays = p.bias && p.rules.on_infinite_bias == infinite_bias::weighs_0;
  return p.rules.slots == masked_slots::never_read && !stays;
}

bool same_value(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void judge_two(judgement& j, const evaluation& one, const evaluation& other,
               const std::string& where, const char* what, double shift, double extra) {
  if (!std::isfinite(one.observed) || !std::isfinite(other.observed)) {
    judge_element(j, one.allowed, one.observed, where, what);
    return judge_element(j, other.allowed, other.observed, where, what);
  }
  due both = within_both(one.allowed, other.allowed, one.observed + shift);
  both.bound += extra;
  both.likely += extra;
  judge_element(j, both, other.observed, where, what);
}

void judge_same_answer(judgement& j, const problem& p, examiner& subject, const answer& before,
                       const answer& after, const char* what,
                       const std::function<bool(const row_index&)>& chosen) {
  pair_judge pairs(j, p, subject, before, what);
  for_each_row(p.dims, [&](const row_index& row) {
    if (!chosen(row)) return;
    for (std::int64_t d = 0; d < p.dims.value_width; ++d)
      pairs.judge(before.o, after.o, "o", row, d);
    if (before.lse) pairs.judge(*before.lse, *after.lse, "lse", row, -1);
  });
}

}  // namespace attest
