#include "reference/definition/key_set.h"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

bool mask_keeps(const problem& p, const index4& cell) { return !p.mask || p.mask->at(cell); }

// The greatest bias that is read as -inf.
double masking_bias(const problem& p) {
  if (p.rules.on_lowest_bias == lowest_bias::masks) return -largest_finite(p.bias->element());
  return -std::numeric_limits<double>::infinity();
}

bool is_excluded(const problem& p, const index4& cell) {
  return !mask_keeps(p, cell) || (p.bias && p.bias->at(cell) <= masking_bias(p));
}

bool caps_masked_scores(const problem& p) {
  return p.soft_cap > 0 && p.rules.cap == cap_order::after_mask;
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
  const std::int64_t inner = p.rules.ends == window_ends::exclusive ? 1 : 0;
  if (w.left >= 0) range.first = std::max(range.first, position - w.left + inner);
  if (w.right >= 0) range.last = std::min(range.last, position + w.right + 1 - inner);
  return range;
}

bool admits(const problem& p, const row_index& row, std::int64_t j) {
  return caps_masked_scores(p) || !is_excluded(p, {row.b, row.h, row.i, j});
}

bool is_capped_mask(const problem& p, const row_index& row, std::int64_t j) {
  return caps_masked_scores(p) && is_excluded(p, {row.b, row.h, row.i, j});
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

empty_row rule_of_empty_row(const problem& p, const row_index& row) {
  const key_span range = visible_keys(p, row);
  const bool weighs_0 = p.rules.on_infinite_bias == infinite_bias::weighs_0;
  for (std::int64_t j = range.first; weighs_0 && j < range.last; ++j)
    if (mask_keeps(p, {row.b, row.h, row.i, j})) return empty_row::nan;
  return p.rules.on_empty_row;
}

}  // namespace attest
