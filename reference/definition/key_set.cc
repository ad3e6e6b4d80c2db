#include "reference/definition/key_set.h"

#include <limits>

namespace attest {
namespace {

bool in_triangle(const problem& p, std::int64_t position, std::int64_t j) {
  return p.causal == causal_anchor::none || j <= position;
}

bool in_window(const window& w, std::int64_t position, std::int64_t j) {
  return (w.left < 0 || position - w.left <= j) && (w.right < 0 || j <= position + w.right);
}

bool removed_by_bias(const problem& p, const index4& cell) {
  return p.bias && p.bias->at(cell) == -std::numeric_limits<double>::infinity();
}

}  // namespace

std::int64_t position_offset(const problem& p, std::int64_t b) {
  return p.causal == causal_anchor::bottom_right ? p.valid_keys(b) - p.dims.queries : 0;
}

bool keeps(const problem& p, const row_index& row, std::int64_t j) {
  const std::int64_t position = row.i + position_offset(p, row.b);
  const index4 cell{row.b, row.h, row.i, j};
  return j < p.valid_keys(row.b) && in_triangle(p, position, j) &&
         in_window(p.sliding, position, j) && (!p.mask || p.mask->at(cell)) &&
         !removed_by_bias(p, cell);
}

std::vector<std::int64_t> key_set(const problem& p, const row_index& row) {
  std::vector<std::int64_t> keys;
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    if (keeps(p, row, j)) keys.push_back(j);
  return keys;
}

}  // namespace attest
