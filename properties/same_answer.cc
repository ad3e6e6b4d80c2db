#include "properties/same_answer.h"

#include <cmath>
#include <vector>

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

bool same_everywhere(const answer& a, const answer& b) {
  return same_everywhere(a.o, b.o) && (!a.lse || same_everywhere(*a.lse, *b.lse));
}

// Whether the problem gives the same bits each time. Threads that race may give them by chance: a
// subject with two answers of equal chance repeats one of them, and for the other problem the other
// one, once in 2^17. The copies that are kept move the next ones to other addresses, on which
// vectorised loops depend.
bool repeats_its_bits(examiner& subject, const answered_problem& one) {
  constexpr int times = 8;
  std::vector<problem> kept;
  for (int n = 0; n < times; ++n) {
    const answer again = subject.ask(one.posed);
    if (!again.refusal && !same_everywhere(one.given, again)) return false;
    kept.push_back(one.posed);
  }
  return true;
}

enum class determinism { not_tried, shown, refuted };

// A pair of elements, held to equality, or to twice the bound where the subject is not
// deterministic.
class pair_judge {
 public:
  pair_judge(judgement& j, examiner& subject, const answered_problem& before,
             const answered_problem& after, const char* what)
      : judgement_(j), subject_(subject), before_(before), after_(after), what_(what) {}

  void judge_row(const row_index& row) {
    for (std::int64_t d = 0; d < before_.posed.dims.value_width; ++d)
      judge(before_.given.o, after_.given.o, "o", row, d);
    if (before_.given.lse) judge(*before_.given.lse, *after_.given.lse, "lse", row, -1);
  }

 private:
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

  bool deterministic() {
    if (determinism_ == determinism::not_tried)
      determinism_ = repeats_its_bits(subject_, before_) && repeats_its_bits(subject_, after_)
                         ? determinism::shown
                         : determinism::refuted;
    return determinism_ == determinism::shown;
  }

  due due_at(const row_index& row, std::int64_t d) const {
    certified_rows rows(before_.posed);
    const row_reference reference(rows, subject_.terms_for(before_.posed), row);
    return d < 0 ? reference.lse() : reference.output(d);
  }

  judgement& judgement_;
  examiner& subject_;
  const answered_problem before_, after_;
  const char* what_;
  determinism determinism_ = determinism::not_tried;
};

}  // namespace

bool is_open(const problem& p, const row_index& row) {
  const bool may_be_empty = p.rules.may_weigh_nothing() || key_set(p, row).empty();
  return p.sink.empty() && may_be_empty && rule_of_empty_row(p, row) != empty_row::zero;
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

void judge_same_answer(judgement& j, examiner& subject, const answered_problem& before,
                       const answered_problem& after, const char* what,
                       const std::function<bool(const row_index&)>& chosen) {
  pair_judge pairs(j, subject, before, after, what);
  for_each_row(before.posed.dims, [&](const row_index& row) {
    if (chosen(row)) pairs.judge_row(row);
  });
}

}  // namespace attest
