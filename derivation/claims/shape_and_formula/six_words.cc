#include <algorithm>
#include <cmath>
#include <string>

#include "derivation/claims/catalogue.h"
#include "derivation/claims/single_head.h"
#include "reference/definition/attention.h"
#include "reference/multiprecision/interval.h"
#include "reference/text.h"

namespace attest {
namespace {

constexpr double allowed_width = 1e-40;

// Every input is exact in a double. Chosen so that no key keeps its rank when "cat" asks with the
// key of "ball".
const std::vector<std::string> words{"my", "cat", "chased", "the", "red", "ball"};
const matrix queries{{2, -1, 0, 0},       {1.5, 1, -1.5, 1},    {-0.5, 0, 0, 1},
                     {0, -1.5, -0.5, -1}, {-1, -1, -0.5, -1.5}, {-1.5, 1, 0.5, -0.5}};
const matrix keys{{0.5, -1, 0.5, -1}, {1.5, -1, 0, -0.5}, {-0.5, 1, 0.5, -0.5},
                  {0, 1.5, -0.5, -1}, {-1, -0.5, 2, 1.5}, {-1.5, -1, 1, 0}};
constexpr std::size_t replaced = 1;  // the query of "cat" ...
constexpr std::size_t taken = 5;     // ... by the key of "ball"

using weight_row = std::vector<interval>;
using weight_rows = std::vector<weight_row>;

problem sentence() { return single_head(queries, keys, keys); }

problem with_query_replaced() {
  matrix changed = queries;
  changed[replaced] = keys[taken];
  return single_head(changed, keys, keys);
}

weight_rows weights_of(const problem& p) {
  weight_rows rows;
  for (std::int64_t i = 0; i < p.dims.queries; ++i)
    rows.push_back(attention<interval>(p, {0, 0, i}).weights);
  return rows;
}

interval sum_of(const weight_row& row) {
  interval sum;
  for (const interval& weight : row) sum = sum + weight;
  return sum;
}

struct row_sums {
  bool all_enclose_1 = true;
  double widest = 0;

  bool proved() const { return all_enclose_1 && widest < allowed_width; }
};

row_sums sums_of(const weight_rows& rows) {
  row_sums sums;
  for (const weight_row& row : rows) {
    const interval sum = sum_of(row);
    sums.all_enclose_1 = sums.all_enclose_1 && contains(sum, 1.0);
    sums.widest = std::max(sums.widest, width(sum));
  }
  return sums;
}

// The rank of each key, 1 for the greatest weight: one more than the keys that certainly weigh
// more.
std::vector<int> ranks_of(const weight_row& row) {
  std::vector<int> ranks;
  for (const interval& weight : row)
    ranks.push_back(1 +
                    static_cast<int>(std::count_if(row.begin(), row.end(), [&](const interval& w) {
                      return certainly_less(weight, w);
                    })));
  return ranks;
}

// Whether the ranks are proved: every two enclosures are disjoint.
bool all_disjoint(const weight_row& row) {
  for (std::size_t a = 0; a < row.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!disjoint(row[a], row[b])) return false;
  return true;
}

int ranks_changed(const weight_row& before, const weight_row& after) {
  const std::vector<int> a = ranks_of(before), b = ranks_of(after);
  int changed = 0;
  for (std::size_t j = 0; j < a.size(); ++j) changed += a[j] != b[j];
  return changed;
}

bool whole_row_reranked(const weight_rows& before, const weight_rows& after) {
  const weight_row &a = before[replaced], &b = after[replaced];
  return all_disjoint(a) && all_disjoint(b) && ranks_changed(a, b) == static_cast<int>(a.size());
}

// Rows other than the replaced one that do not keep the very same ends of every enclosure.
int other_rows_moved(const weight_rows& before, const weight_rows& after) {
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved += i != replaced &&
             !std::equal(before[i].begin(), before[i].end(), after[i].begin(), identical);
  return moved;
}

// "2^-250", not below x > 0.
std::string power_of_two_above(double x) { return "2^" + std::to_string(std::ilogb(x) + 1); }

std::vector<std::string> headed(const std::string& first) {
  std::vector<std::string> columns{first};
  columns.insert(columns.end(), words.begin(), words.end());
  return columns;
}

evidence_table heatmap(const std::string& title, const weight_rows& rows) {
  evidence_table table{title, headed("query \\ key"), {}, true, replaced};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows.push_back({words[i]});
    for (const interval& weight : rows[i]) table.rows.back().push_back(certain_decimals(weight, 3));
  }
  return table;
}

std::vector<std::string> rank_row(const std::string& name, const weight_row& row) {
  std::vector<std::string> cells{name};
  for (const int rank : ranks_of(row)) cells.push_back(std::to_string(rank));
  return cells;
}

evidence_table rank_table(const weight_rows& before, const weight_rows& after) {
  return {"The rank of each key in the row of 'cat' (1: the largest weight)",
          headed("query"),
          {rank_row("its own", before[replaced]), rank_row("the key of 'ball'", after[replaced])},
          false,
          std::nullopt};
}

// A sink takes a share of every row.
negative_control with_sink() {
  problem p = sentence();
  p.sink = {0};
  const row_sums sums = sums_of(weights_of(p));
  return {"a sink stands in the denominator",
          "row 1 sums to " + certain_decimals(sum_of(weights_of(p).front()), 3), !sums.proved()};
}

// Not the query but the key of "cat" is replaced: every row asks it.
negative_control with_key_replaced(const weight_rows& before) {
  matrix changed = keys;
  changed[replaced] = queries[taken];
  const weight_rows after = weights_of(single_head(queries, changed, keys));
  const int moved = other_rows_moved(before, after);
  return {"the key of 'cat' is replaced instead of its query",
          std::to_string(moved) + " of the 5 other rows move", moved > 0};
}

std::vector<std::string> lines_for(const weight_rows& before, const weight_rows& after) {
  const double widest = std::max(sums_of(before).widest, sums_of(after).widest);
  return {"each of the 12 rows has a sum whose enclosure contains 1 and is at most " +
              power_of_two_above(widest) + " wide (" + to_text(allowed_width) + " allowed)",
          "with the key of 'ball' as its query, " +
              std::to_string(ranks_changed(before[replaced], after[replaced])) +
              " of 6 keys change rank in the row of 'cat'; every two weights of that row, before "
              "and after, have "
              "disjoint enclosures",
          std::to_string(other_rows_moved(before, after)) +
              " of the 5 other rows move: their enclosures keep the same ends, bit for bit"};
}

evidence check() {
  const weight_rows before = weights_of(sentence()), after = weights_of(with_query_replaced());
  evidence found;
  found.holds = sums_of(before).proved() && sums_of(after).proved() &&
                whole_row_reranked(before, after) && other_rows_moved(before, after) == 0;
  found.lines = lines_for(before, after);
  found.tables = {heatmap("Weights, each word asking with its own query", before),
                  heatmap("Weights, 'cat' asking with the key of 'ball'", after),
                  rank_table(before, after)};
  found.controls = {with_sink(), with_key_replaced(before)};
  return found;
}

}  // namespace

const claim claims::six_words{
    "six_words",
    "shape_and_formula",
    "Among 6 words with 4-wide Q and K and V = K each row of weights sums to 1, and replacing one "
    "word's query by "
    "another's key re-ranks its whole row and moves no other row.",
    "No sink; only a query is replaced, no key.",
    evidence_kind::rigorous,
    "reference/definition/attention.h, steps 1 and 5; enclosures of 256 bits rounded outwards",
    check};

}  // namespace attest
