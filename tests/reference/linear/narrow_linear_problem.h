// Linear attention of one coordinate, for cases worked out by hand.
#pragma once

#include <vector>

#include "reference/linear/linear_problem.h"

namespace attest {

// [1, 1, L, 1]
inline tensor column(const std::vector<double>& values) {
  tensor t(f64, place(layout::bhld, {1, 1, static_cast<std::int64_t>(values.size()), 1}), 0);
  for (std::size_t l = 0; l < values.size(); ++l)
    t.set({0, 0, static_cast<std::int64_t>(l), 0}, values[l]);
  return t;
}

// One coordinate everywhere.
inline linear_problem narrow(const std::vector<double>& q, const std::vector<double>& k,
                             const std::vector<double>& v) {
  linear_problem p;
  p.dims.queries = p.dims.keys = static_cast<std::int64_t>(q.size());
  p.q = column(q);
  p.k = column(k);
  p.v = column(v);
  return p;
}

}  // namespace attest
