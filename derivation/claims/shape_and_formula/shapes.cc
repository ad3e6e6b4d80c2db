#include <algorithm>
#include <array>
#include <string>

#include "derivation/claims/catalogue.h"
#include "derivation/claims/dependence.h"
#include "derivation/claims/single_head.h"
#include "reference/definition/attention.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using labels = std::vector<std::int64_t>;

// Numbers the elements from `first` on. Result: the first label not used.
std::int64_t label(tensor& t, const index4& sizes, std::int64_t first) {
  t = tensor(f64, place(layout::bhld, sizes), 0);
  for_each_index(sizes, [&](const index4& i) { t.set(i, static_cast<double>(first++)); });
  return first;
}

// Every element of q, k and v is a label of its own.
problem labelled(const shape& dims) {
  problem p;
  p.dims = dims;
  const std::int64_t after_q = label(p.q, dims.q_sizes(), first_label);
  const std::int64_t after_k = label(p.k, dims.k_sizes(), after_q);
  label(p.v, dims.v_sizes(), after_k);
  return p;
}

// The labels of one row of q or k.
labels row_of(const tensor& t, std::int64_t b, std::int64_t h, std::int64_t l) {
  labels row;
  for (std::int64_t d = 0; d < t.sizes()[3]; ++d)
    row.push_back(static_cast<std::int64_t>(t.at(b, h, l, d)));
  return row;
}

dependence on_row(const tensor& t, std::int64_t b, std::int64_t h, std::int64_t l) {
  return dependence(row_of(t, b, h, l));
}

// What the claim says that row (b, h, i) is made of: its shape, and the inputs of each number in
// it.
struct expected_row {
  std::vector<dependence> scores, output;
  dependence weight;  // of every key: row i of Q and all of K
};

dependence on_column(const problem& p, const row_index& row, std::int64_t d) {
  labels column;
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    column.push_back(static_cast<std::int64_t>(p.v.at(row.b, p.kv_head(row.h), j, d)));
  return dependence(column);
}

expected_row expect(const problem& p, const row_index& row) {
  expected_row due;
  const dependence query = on_row(p.q, row.b, row.h, row.i);
  for (std::int64_t j = 0; j < p.dims.keys; ++j) {
    due.scores.push_back(join(query, on_row(p.k, row.b, p.kv_head(row.h), j)));
    due.weight = join(due.weight, due.scores.back());
  }
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    due.output.push_back(join(due.weight, on_column(p, row, d)));
  return due;
}

bool as_expected(const attention_row<dependence>& row, const expected_row& due) {
  return row.scores == due.scores && row.output == due.output &&
         row.weights == std::vector<dependence>(due.scores.size(), due.weight);
}

struct tally {
  std::int64_t shapes = 0, crossed = 0, rows = 0, wrong_rows = 0, scores = 0, outputs = 0;
};

// Evaluates `given` and holds each row to the labels of `meant`, which is the same but in negative
// controls.
void compare(const problem& given, const problem& meant, tally& seen) {
  index4 rows = meant.dims.o_sizes();
  rows[3] = 1;
  for_each_index(rows, [&](const index4& i) {
    const row_index place{i[0], i[1], i[2]};
    const attention_row<dependence> row = attention<dependence>(given, place);
    ++seen.rows;
    seen.wrong_rows += !as_expected(row, expect(meant, place));
    seen.scores += static_cast<std::int64_t>(row.scores.size());
    seen.outputs += static_cast<std::int64_t>(row.output.size());
  });
}

void compare_shape(const shape& dims, tally& seen) {
  const problem p = labelled(dims);
  compare(p, p, seen);
  ++seen.shapes;
  seen.crossed += dims.queries != dims.keys;
}

std::vector<shape> with_heads(const std::array<std::int64_t, 4>& sizes) {
  std::vector<shape> grid;
  for (const std::int64_t batch : {1, 2})
    for (const auto& [query_heads, kv_heads] : {std::array{1, 1}, {3, 3}, {4, 2}, {3, 1}})
      grid.push_back({batch, query_heads, kv_heads, sizes[0], sizes[1], sizes[2], sizes[3]});
  return grid;
}

// Batch and heads (one, several, grouped, shared) by n, m, dk, dv.
std::vector<shape> grid_of_shapes() {
  std::vector<shape> grid;
  for (const std::int64_t n : {1, 2, 5})
    for (const std::int64_t m : {1, 3, 5})
      for (const std::int64_t dk : {1, 2, 4})
        for (const std::int64_t dv : {1, 3}) {
          const std::vector<shape> some = with_heads({n, m, dk, dv});
          grid.insert(grid.end(), some.begin(), some.end());
        }
  return grid;
}

evidence_table rule() {
  return {
      "What each number is made of, read off a number that remembers its inputs",
      {"numbers", "shape", "entry", "made of"},
      {{"queries Q", "n x dk", "", "inputs"},
       {"keys K", "m x dk", "", "inputs"},
       {"values V", "m x dv", "", "inputs"},
       {"scores", "n x m", "i, j", "row i of Q, row j of K: 2 dk numbers"},
       {"weights", "n x m", "i, j", "row i of Q, all of K: dk + m dk numbers"},
       {"output", "n x dv", "i, d", "row i of Q, all of K, column d of V: dk + m dk + m numbers"}},
      false,
      std::nullopt};
}

negative_control width_refused() {
  negative_control control{"Q is 3 wide and K is 4 wide", "it was accepted", false};
  try {
    single_head({{1, 2, 3}}, {{1, 2, 3, 4}}, {{1}});
  } catch (const input_error& refusal) {
    control.seen = refusal.what();
    control.detected = true;
  }
  return control;
}

// With m = dk a transposed K fits, so that sizes alone can't tell; what the scores are made of can.
negative_control key_transposed() {
  const problem meant = labelled({1, 1, 1, 2, 3, 3, 2});
  problem given = meant;
  for_each_index(meant.k.sizes(), [&](const index4& i) {
    given.k.set({i[0], i[1], i[3], i[2]}, meant.k.at(i));
  });
  tally seen;
  compare(given, meant, seen);
  return {"K is transposed, where m = dk and it still fits",
          std::to_string(seen.wrong_rows) + " of " + std::to_string(seen.rows) +
              " rows are made of other inputs",
          seen.wrong_rows > 0};
}

evidence check() {
  tally seen;
  for (const shape& dims : grid_of_shapes()) compare_shape(dims, seen);
  evidence found;
  found.holds = seen.wrong_rows == 0 && seen.shapes > 0;
  found.lines = {std::to_string(seen.shapes) +
                     " shapes (batch, heads, grouped heads, n, m, dk, dv), " +
                     std::to_string(seen.crossed) + " of them with m != n",
                 std::to_string(seen.rows - seen.wrong_rows) + " of " + std::to_string(seen.rows) +
                     " rows have the shape below and are made of the inputs below: " +
                     std::to_string(seen.scores) + " scores and as many weights, " +
                     std::to_string(seen.outputs) + " outputs",
                 "the sequence axis never changes: one row out for each row of Q, and no other row "
                 "of Q in it"};
  found.tables = {rule()};
  found.controls = {width_refused(), key_transposed()};
  return found;
}

}  // namespace

const claim claims::shapes{
    "shapes",
    "shape_and_formula",
    "Q is n x dk, K is m x dk and V is m x dv; scores and weights are n x m and the output is n x "
    "dv, whatever m is.",
    "Q and K have one width dk; K and V have one length m.",
    evidence_kind::exact,
    "reference/definition/attention.h, steps 1 to 6; Vaswani et al. 2017, section 3.2.1",
    check};

}  // namespace attest
