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

// The keys that window and chunk keep around a position. Before the first key a position is only
// where the causal triangle keeps nothing anyway.
key_span local_span(const problem& p, std::int64_t position) {
  const window& w = p.sliding;
  key_span range{std::numeric_limits<std::int64_t>::min(),
                 std::numeric_limits<std::int64_t>::max()};
  const std::int64_t inner = p.rules.ends == window_ends::exclusive ? 1 : 0;
  if (w.left >= 0) range.first = position - w.left + inner;
  if (w.right >= 0) range.last = position + w.right + 1 - inner;
  if (const std::int64_t c = p.pattern.chunk; c > 0) {
    const std::int64_t first = position / c * c;
    range.first = std::max(range.first, first);
    range.last = std::min(range.last, first + c);
  }
  return range;
}

bool has_local_span(const problem& p) { return !p.sliding.open() || p.pattern.chunk > 0; }

bool block_keeps(const problem& p, const row_index& row, std::int64_t j) {
  const key_pattern& by = p.pattern;
  return !p.block_mask ||
         p.block_mask->at({row.b, row.h, row.i / by.block_queries, j / by.block_keys});
}

bool is_near(const problem& p, const row_index& row, std::int64_t j) {
  const std::int64_t position = row.i + position_offset(p, row.b);
  return local_span(p, position).holds(j) && (position - j) % p.pattern.dilation == 0 &&
         block_keeps(p, row, j);
}

bool shares_segment(const problem& p, const row_index& row, std::int64_t j) {
  if (p.key_segments.empty()) return true;
  const auto at = [&](std::int64_t length, std::int64_t l) {
    return static_cast<std::size_t>(row.b * length + l);
  };
  return p.query_segments[at(p.dims.queries, row.i)] == p.key_segments[at(p.dims.keys, j)];
}

bool pattern_admits(const problem& p, const row_index& row, std::int64_t j) {
  const bool any_distance = p.pattern.open() && p.pattern.global_keys == 0;
  return (any_distance || j < p.pattern.global_keys || is_near(p, row, j)) &&
         shares_segment(p, row, j);
}

bool caps_masked_scores(const problem& p) {
  return p.soft_cap > 0 && p.rules.cap == cap_order::after_mask;
}

}  // namespace

std::int64_t position_offset(const problem& p, std::int64_t b) {
  return p.causal == causal_anchor::bottom_right ? p.valid_keys(b) - p.dims.queries : 0;
}

bool has_holes(const problem& p) {
  return p.mask || p.bias || p.pattern.dilation != 1 || p.block_mask || !p.key_segments.empty() ||
         (p.pattern.global_keys > 0 && has_local_span(p));
}

key_span visible_keys(const problem& p, const row_index& row) {
  const std::int64_t position = row.i + position_offset(p, row.b);
  key_span range{0, p.valid_keys(row.b)};
  if (p.causal != causal_anchor::none) range.last = std::min(range.last, position + 1);
  const key_span local = local_span(p, position);
  const std::int64_t global = std::min(p.pattern.global_keys, range.last);
  range.last = std::min(range.last, std::max(global, local.last));
  if (global == 0) range.first = std::max(range.first, local.first);
  return range;
}

bool is_visible(const problem& p, const row_index& row, std::int64_t j) {
  return visible_keys(p, row).holds(j) && pattern_admits(p, row, j);
}

bool admits(const problem& p, const row_index& row, std::int64_t j) {
  return pattern_admits(p, row, j) &&
         (caps_masked_scores(p) || !is_excluded(p, {row.b, row.h, row.i, j}));
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
    if (pattern_admits(p, row, j) && mask_keeps(p, {row.b, row.h, row.i, j})) return empty_row::nan;
  return p.rules.on_empty_row;
}

}  // namespace attest
