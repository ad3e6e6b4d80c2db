#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) { return spec; }

// The largest |v| that may share a rounding with column d of KV head g: of that column, or of all
// where the implementation quantises v with a common scale.
class largest_values {
 public:
  largest_values(const problem& p, const contract& c)
      : dims_(p.dims),
        common_(c.quantised_to != nullptr),
        of_(static_cast<std::size_t>(dims_.batch * dims_.kv_heads * dims_.value_width)) {
    for_each_index(p.v.sizes(), [&](const index4& i) {
      double& largest = of_[place(i)];
      largest = std::max(largest, std::fabs(p.v.at(i)));
    });
  }

  double at(const index4& i) const {
    return common_ ? *std::max_element(of_.begin(), of_.end()) : of_[place(i)];
  }

 private:
  std::size_t place(const index4& i) const {
    return static_cast<std::size_t>((i[0] * dims_.kv_heads + i[1]) * dims_.value_width + i[3]);
  }

  const shape& dims_;
  bool common_;
  std::vector<double> of_;
};

// Every value replaced by the largest of its column.
problem levelled(const problem& p, const contract& c) {
  const largest_values largest(p, c);
  problem level = p;
  for_each_index(p.v.sizes(), [&](const index4& i) { level.v.set(i, largest.at(i)); });
  return level;
}

struct interval {
  double low, high;

  double nearest(double x) const { return std::clamp(x, low, high); }
};

// Of the values of the row's keys; a sink is one with value 0.
interval hull(const problem& p, const exact_row& row, const row_index& place, std::int64_t d) {
  interval all{row.value(p, place, 0, d), row.value(p, place, 0, d)};
  for (std::size_t n = 1; n < row.keys.size(); ++n) {
    const double v = row.value(p, place, n, d);
    all = {std::min(all.low, v), std::max(all.high, v)};
  }
  return all;
}

void judge_row(judgement& j, const problem& p, const row_reference& level, const row_index& place,
               const answer& a) {
  for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
    const double seen = a.o.at(place.b, place.h, place.i, d);
    const interval allowed = hull(p, level.exact(), place, d);
    due one = level.output(d);
    one.scale = std::max(std::fabs(allowed.low), std::fabs(allowed.high));
    one.value = {std::isnan(seen) ? allowed.low : allowed.nearest(seen), 0, 0};
    judge_element(j, one, seen, place_of("o", place, d), "nearest point of the hull of the values");
  }
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  const terms on = subject.terms_for(p);
  const problem level = levelled(p, on.kept);
  judgement j;
  certified_rows rows(level);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference row(rows, on, place);
    ++j.rows;
    if (!row.bound().in_domain())
      ++j.out_of_domain;
    else if (!row.exact().empty())
      judge_row(j, p, row, place, a);
  });
  return j;
}

}  // namespace

const property output_in_hull_of_values{
    .name = "output_in_hull_of_values",
    .theme = "values",
    .statement =
        "Every output lies between the smallest and the largest value of the row's keys; a "
        "sink is a key with value 0.",
    .method =
        "Random problems of every value regime. No weight is computed: wrong scores cannot "
        "leave the hull.",
    .bound =
        "forward_bound at constant v, the largest of the column: only sums, stored weights and "
        "the division remain",
    .proof = "derivation/bounds/probes.md#hull",
    .claim = "convex",
    .needs = "nothing",
    .catches =
        "weights that do not sum to 1 or are negative, values of keys outside the set, stale "
        "accumulators, outputs that were never written",
    .admits = feature_set::all().without(feature::dropout),
    .groups = feature_set::all().without(feature::dropout).without(feature::lse),
    .long_rows = true,
    .base_problems = 4,
    .scorers = every_scorer,
    .normalizers = convex_normalizers,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
