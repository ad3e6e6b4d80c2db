#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { sampled_places = 288 };

constexpr std::int64_t places = 16;          // that rows are sampled at
constexpr std::int64_t rows_of_a_place = 4;  // one after the other
constexpr double gross = 8;                  // bounds of sampled rows that any other row is allowed

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  spec.mask_axes.reset();
  spec.bias_axes.reset();
  spec.infinite_bias = false;
  return spec;
}

// The last of several columns of V is all ones: its output is the sum of the weights.
void set_column_of_ones(problem& p) {
  const std::int64_t last = p.dims.value_width - 1;
  if (last == 0) return;
  for_each_index({p.dims.batch, p.dims.kv_heads, p.dims.keys, 1}, [&](const index4& i) {
    p.v.set({i[0], i[1], i[2], last}, 1);
  });
}

// The first place is the first row, the second the last.
row_index sampled_place(const shape& dims, std::uint64_t seed, std::int64_t n) {
  const auto below = [&](std::int64_t size, std::uint64_t axis) {
    if (n == 0) return std::int64_t{0};
    if (n == 1) return size - 1;
    return static_cast<std::int64_t>(random_below(seed, sampled_places,
                                                  3 * static_cast<std::uint64_t>(n) + axis,
                                                  static_cast<std::uint64_t>(size)));
  };
  const std::int64_t b = below(dims.batch, 0), h = below(dims.query_heads, 1);
  const std::int64_t i = below(dims.queries, 2);
  return {b, h, std::max<std::int64_t>(0, std::min(i, dims.queries - rows_of_a_place))};
}

std::vector<row_index> sampled_rows(const shape& dims, std::uint64_t seed) {
  std::vector<row_index> rows;
  for (std::int64_t n = 0; n < places; ++n) {
    const row_index first = sampled_place(dims, seed, n);
    const std::int64_t end = std::min(first.i + rows_of_a_place, dims.queries);
    for (std::int64_t i = first.i; i < end; ++i) rows.push_back({first.b, first.h, i});
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// What the sampled rows are allowed, at most, in each column.
struct row_allowances {
  std::vector<double> columns;

  void include(const row_reference& row) {
    for (std::size_t d = 0; d < columns.size(); ++d)
      columns[d] = std::max(columns[d], row.output(static_cast<std::int64_t>(d)).bound);
  }
};

void judge_sampled(judgement& j, const problem& p, const row_reference& row, const row_index& place,
                   const answer& a) {
  for (std::int64_t d = 0; d < p.dims.value_width && output_is_specified(p, row.exact()); ++d)
    judge_element(j, row.output(d), a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                  "output");
  if (a.lse && lse_is_specified(p, row.exact()))
    judge_element(j, row.lse(), a.lse->at(place.b, place.h, place.i, 0), place_of("lse", place, -1),
                  "lse");
}

row_allowances judge_sample(judgement& j, const problem& p, std::uint64_t seed, const terms& on,
                            const answer& a) {
  row_allowances allowed{std::vector<double>(static_cast<std::size_t>(p.dims.value_width))};
  certified_rows rows(p);
  for (const row_index& place : sampled_rows(p.dims, seed)) {
    const row_reference row(rows, on, place);
    ++j.rows;
    if (!row.bound().in_domain()) {
      ++j.out_of_domain;
      continue;
    }
    allowed.include(row);
    judge_sampled(j, p, row, place, a);
  }
  return allowed;
}

struct interval {
  double low, high;

  double nearest(double x) const { return std::isnan(x) ? low : std::clamp(x, low, high); }
};

// Of every column of one KV head, over all keys of the batch row; a sink is one with value 0.
std::vector<interval> hulls_of_values(const problem& p, std::int64_t b, std::int64_t g) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const interval start = p.sink.empty() ? interval{infinity, -infinity} : interval{0, 0};
  std::vector<interval> hulls(static_cast<std::size_t>(p.dims.value_width), start);
  std::vector<double> values(hulls.size());
  for (std::int64_t j = 0; j < p.valid_keys(b); ++j) {
    p.v.read(b, g, j, values);
    for (std::size_t d = 0; d < hulls.size(); ++d)
      hulls[d] = {std::min(hulls[d].low, values[d]), std::max(hulls[d].high, values[d])};
  }
  return hulls;
}

// No bound of the row itself is at hand, so what is outside is improbable, not proved wrong.
void judge_outside(judgement& j, double seen, double nearest, double allowed,
                   const std::string& where) {
  constexpr double never_proved = std::numeric_limits<double>::infinity();
  judge_element(j, {{nearest, 0, 0}, never_proved, 0, &f64, gross * allowed}, seen, where,
                "nearest point of the hull of the values");
}

// Every output of the head is finite and in the hull of V, as a sum of weights is in that of ones.
void judge_head(judgement& j, const problem& p, std::int64_t b, std::int64_t h,
                const row_allowances& allowed, const answer& a) {
  const std::vector<interval> hulls = hulls_of_values(p, b, p.kv_head(h));
  std::vector<double> seen(hulls.size());
  for (std::int64_t i = 0; i < p.dims.queries; ++i) {
    const row_index row{b, h, i};
    const key_span keys = visible_keys(p, row);
    if (keys.first >= keys.last) continue;
    a.o.read(b, h, i, seen);
    for (std::size_t d = 0; d < seen.size(); ++d) {
      const double nearest = hulls[d].nearest(seen[d]);
      if (nearest == seen[d])
        ++j.judged;
      else
        judge_outside(j, seen[d], nearest, allowed.columns[d],
                      place_of("o", row, static_cast<std::int64_t>(d)));
    }
  }
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  set_column_of_ones(p);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  judgement j;
  const row_allowances allowed = judge_sample(j, p, spec.seed, subject.terms_for(p), a);
  if (j.out_of_domain > 0) return j;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t h = 0; h < p.dims.query_heads; ++h) judge_head(j, p, b, h, allowed, a);
  return j;
}

// Masks and biases take as much memory as scores do; real shapes ask for no patterns.
constexpr feature_set admitted = feature_set::all()
                                     .without(positional_features)
                                     .without(feature::dropout)
                                     .with(feature::causal_top_left)
                                     .with(feature::causal_bottom_right)
                                     .with(feature::window)
                                     .without(feature::segments)
                                     .without(feature::mask)
                                     .without(feature::bias)
                                     .without(feature::infinite_bias);

}  // namespace

const property sampled_rows_match_definition{
    .name = "sampled_rows_match_definition",
    .theme = "definition",
    .statement =
        "In a call of any size, sampled rows are what the definition gives, and every output is "
        "finite and in the hull of the values.",
    .method =
        "The subject is asked once. 16 places of 4 rows each, the first and the last row among "
        "them, are compared with the certified reference; all others with the smallest and largest "
        "value of their column, the last of which is all ones.",
    .bound =
        "forward_bound for sampled rows; 8 times the largest of theirs for the hull, beyond which "
        "an output is improbable",
    .proof = "derivation/bounds/forward.md",
    .claim = "one_cell",
    .needs = "no mask and no bias; attest check --shape gives the size",
    .catches =
        "offsets and counters that wrap, tails and splits of real sizes, rows and heads that are "
        "skipped, buffers that are too small",
    .admits = admitted,
    .groups = feature_set(),
    .base_problems = 1,
    .scorers = every_scorer,
    .normalizers = normalizers_to_1,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
