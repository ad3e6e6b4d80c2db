#include "reference/definition/key_set.h"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

bool removed_by_bias(const problem& p, const index4& cell) {
  return p.bias && p.bias->at(cell) == -std::numeric_limits<double>::infinity();
}

}  // namespace

std::int64_t position_offset(const problem& p, std::int64_t b) {
  return p.causal == causal_anchor::bottom_right ? p.valid_keys(b) - p.dims.queries : 0;
}

key_span visible_keys(const problem& p, const row_index& row) {
  const std::int64_t position = row.i + position_offset(p, row.b);
  const window& w = p.sliding;
  key_span range{0, p.valid_keys(row.b)};
  if (p.causal != causal_anchor::none) range.last = std::min(range.last, position + 1);
  if (w.left >= 0) range.first = std::max(range.first, position - w.left);
  if (w.right >= 0) range.last = std::min(range.last, position + w.right + 1);
  return range;
}

bool admits(const problem& p, const row_index& row, std::int64_t j) {
  const index4 cell{row.b, row.h, row.i, j};
  return (!p.mask || p.mask->at(cell)) && !removed_by_bias(p, cell);
}

bool keeps(const problem& p, const row_index& row, std::int64_t j) {
  return visible_keys(p, row).holds(j) && admits(p, row, j);
}

std::vector<std::int64_t> key_set(const problem& p, const row_index& row) {
  const key_span range = visible_keys(p, row);
  std::vector<std::int64_t> keys;
  for (std::int64_t j = range.first; j < range.last; ++j)
    if (admits(p, row, j)) keys.push_back(j);
  return keys;
}

}  // namespace attest
