// Problems with a key fewer or more: what a wrong subject answers instead of the one it was given.
#pragma once

#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// Computes: the problem whose key l is the key order[l] of this one; -1: a key of zeros.
// Domain: no mask, bias or lengths.
inline problem with_keys(const problem& p, const std::vector<std::int64_t>& order) {
  problem other = p;
  other.dims.keys = static_cast<std::int64_t>(order.size());
  const auto copied = [&](const tensor& from, const index4& sizes) {
    tensor to(from.element(), place(layout::bhld, sizes), 0);
    for_each_index(sizes, [&](const index4& i) {
      const std::int64_t l = order[static_cast<std::size_t>(i[2])];
      if (l >= 0) to.set(i, from.at({i[0], i[1], l, i[3]}));
    });
    return to;
  };
  other.k = copied(p.k, other.dims.k_sizes());
  other.v = copied(p.v, other.dims.v_sizes());
  return other;
}

inline std::vector<std::int64_t> all_keys(std::int64_t n) {
  std::vector<std::int64_t> order;
  for (std::int64_t l = 0; l < n; ++l) order.push_back(l);
  return order;
}

}  // namespace attest
