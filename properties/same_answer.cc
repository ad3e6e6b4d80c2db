#include "properties/same_answer.h"

#include <cmath>

namespace attest {
namespace {

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
    const bool equal = same_value(before.at(i), after.at(i));
    const due exactly{{before.at(i), 0, 0}, 0, 0, &after.element()};
    const bool strict = equal || deterministic();
    judge_element(judgement_, strict ? exactly : doubled_bound(row, d, before.at(i)), after.at(i),
                  place_of(name, row, d), what_);
  }

 private:
  bool deterministic() {
    if (determinism_ == determinism::not_tried)
      determinism_ =
          is_deterministic(problem_, subject_, before_) ? determinism::shown : determinism::refuted;
    return determinism_ == determinism::shown;
  }

  due doubled_bound(const row_index& row, std::int64_t d, double value) const {
    certified_rows rows(problem_);
    const row_reference reference(rows, subject_.terms_for(problem_), row);
    const due one = d < 0 ? reference.lse() : reference.output(d);
    return within_both(one, one, value);
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

bool same_value(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

due within_both(const due& one, const due& other, double other_observed) {
  const double likely = std::fmin(one.bound, one.likely) + std::fmin(other.bound, other.likely);
  return {{other_observed, 0, 0}, one.bound + other.bound, one.scale, one.stored, likely};
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
