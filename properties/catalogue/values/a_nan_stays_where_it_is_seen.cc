#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/same_answer.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { poisoned_tensor = 640, poisoned_element };

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  // Elements that are quantised together share a scale.
  if (subject.contract_for(*spec.inputs).quantised_to != nullptr) return std::nullopt;
  return spec;
}

problem with_nan(const problem& p, std::uint64_t seed) {
  problem other = p;
  tensor problem::*const members[] = {&problem::q, &problem::k, &problem::v};
  tensor& t = other.*members[random_below(seed, poisoned_tensor, 0, std::size(members))];
  index4 i{};
  for (std::size_t axis = 0; axis < i.size(); ++axis) {
    const auto size = static_cast<std::uint64_t>(t.sizes()[axis]);
    if (size == 0) return other;
    i[axis] = static_cast<std::int64_t>(random_below(seed, poisoned_element, axis, size));
  }
  t.set(i, not_a_number);
  return other;
}

bool holds_nan(const tensor& t, std::int64_t b, std::int64_t h, std::int64_t l) {
  bool found = false;
  for (std::int64_t d = 0; d < t.sizes()[3]; ++d) found = found || std::isnan(t.at(b, h, l, d));
  return found;
}

// What a NaN makes of an element, in rising order.
enum class fate : std::uint8_t {
  untouched,  // it enters neither the scores nor the sum
  open,       // it lies in a masked slot, of which the profile says no more
  entered,    // it does
};

// Of one row of a problem that holds a NaN somewhere.
class row_fate {
 public:
  row_fate(const problem& p, const row_index& row) : posed_(p), row_(row), head_(p.kv_head(row.h)) {
    if (holds_nan(p.q, row.b, row.h, row.i)) scores_ = fate::entered;
    for (std::int64_t key = 0; key < p.dims.keys; ++key)
      if (holds_nan(p.k, row.b, head_, key)) scores_ = std::max(scores_, fate_of_key(key));
  }

  fate of_lse() const { return scores_; }
  fate of_output(std::int64_t d) const {
    fate worst = scores_;
    for (std::int64_t key = 0; key < posed_.dims.keys; ++key)
      if (std::isnan(posed_.v.at(row_.b, head_, key, d))) worst = std::max(worst, fate_of_key(key));
    return worst;
  }

 private:
  fate fate_of_key(std::int64_t key) const {
    if (keeps(posed_, row_, key)) return fate::entered;
    return is_never_read(posed_, row_, key) ? fate::untouched : fate::open;
  }

  const problem& posed_;
  const row_index row_;
  const std::int64_t head_;
  fate scores_ = fate::untouched;
};

// Nothing where it is open.
std::optional<due> due_under(fate f, const problem& p, const due& without) {
  const bool propagates = p.rules.on_non_finite == non_finite_inputs::propagate;
  if (f == fate::untouched) return without;
  if (f == fate::entered && propagates) return due{{not_a_number, 0, 0}, 0, 0, without.stored};
  return std::nullopt;
}

void judge_row(judgement& j, const row_reference& row, const row_fate& f, const row_index& place,
               const problem& p, const answer& a) {
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    if (const auto allowed = due_under(f.of_output(d), p, row.output(d)))
      judge_element(j, *allowed, a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                    "output beside a NaN");
  if (!a.lse) return;
  if (const auto allowed = due_under(f.of_lse(), p, row.lse()))
    judge_element(j, *allowed, a.lse->at(place.b, place.h, place.i, 0), place_of("lse", place, -1),
                  "lse beside a NaN");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec), other = with_nan(p, spec.seed);
  const answer a = subject.ask(other);
  const bool may_decline = p.rules.on_non_finite == non_finite_inputs::unspecified;
  if (a.refusal && a.refusal->outcome == verdict::misbehaved && may_decline)
    return skipped("the subject declines a NaN, which its profile leaves open");
  if (a.refusal) return *a.refusal;
  judgement j;
  certified_rows rows(p);
  const terms on = subject.terms_for(p);
  for_each_row(p.dims, [&](const row_index& place) {
    ++j.rows;
    if (key_set(p, place).empty()) return;
    const row_reference row(rows, on, place);
    if (row.bound().in_domain())
      judge_row(j, row, row_fate(other, place), place, p, a);
    else
      ++j.out_of_domain;
  });
  return j;
}

}  // namespace

const property a_nan_stays_where_it_is_seen{
    .name = "a_nan_stays_where_it_is_seen",
    .theme = "values",
    .statement =
        "A NaN in q changes its own row only, one in K the rows that keep its key, one in V the "
        "same rows in its own column; there it gives NaN, where the profile says so.",
    .method = "One element of q, K or V is replaced by NaN.",
    .bound = "forward_bound, of the problem without the NaN, for all that the NaN does not enter",
    .proof = "derivation/bounds/probes.md#nan",
    .claim = "no_leak",
    .needs = "inputs that are not quantised in groups",
    .catches =
        "sums shared between rows, workspaces that are cleared by multiplying with 0, rows of "
        "another batch entry that see a NaN, NaNs that a maximum swallows",
    .admits = feature_set::all().without(feature::dropout),
    .groups = feature_set::all().without(feature::dropout).without(feature::lse),
    .base_problems = 4,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
