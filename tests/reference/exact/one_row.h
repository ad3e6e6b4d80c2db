// A problem of one row, written by its logits and values.
#pragma once

#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// Shapes: [L] for one coordinate or [L][D].
using vectors = std::vector<std::vector<double>>;

inline tensor tensor_of(const vectors& rows) {
  const auto length = static_cast<std::int64_t>(rows.size());
  const auto width = static_cast<std::int64_t>(rows.front().size());
  tensor t(f64, place(layout::bhld, {1, 1, length, width}), 0);
  for_each_index(t.sizes(), [&](const index4& i) {
    t.set(i, rows[static_cast<std::size_t>(i[2])][static_cast<std::size_t>(i[3])]);
  });
  return t;
}

inline vectors column_of(const std::vector<double>& values) {
  vectors rows;
  for (double x : values) rows.push_back({x});
  return rows;
}

// One query, in f64; c = 1 / sqrt(D).
inline problem one_row(const std::vector<double>& q, const vectors& k,
                       const std::vector<double>& v) {
  problem p;
  p.q = tensor_of({q});
  p.k = tensor_of(k);
  p.v = tensor_of(column_of(v));
  p.dims.keys = static_cast<std::int64_t>(k.size());
  p.dims.width = static_cast<std::int64_t>(q.size());
  return p;
}

// One coordinate, q = 1: the logits are k.
inline problem one_row(const std::vector<double>& logits, const std::vector<double>& v) {
  return one_row({1}, column_of(logits), v);
}

inline void set_biases(problem& p, const std::vector<double>& biases) {
  tensor bias(f64, place(layout::bhld, p.dims.score_sizes()), 0);
  for_each_index(bias.sizes(),
                 [&](const index4& i) { bias.set(i, biases[static_cast<std::size_t>(i[3])]); });
  p.bias = bias;
}

}  // namespace attest
