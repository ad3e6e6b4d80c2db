// Step 4 of the definition: which keys a query sees.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// The place of one output row: batch row, query head, query.
struct row_index {
  std::int64_t b = 0;
  std::int64_t h = 0;
  std::int64_t i = 0;

  friend auto operator<=>(const row_index&, const row_index&) = default;
};

// Computes: how far the causal and window positions of queries are shifted: query i stands at i +
// offset. bottom_right: valid Lk - Lq of the batch row; otherwise 0.
std::int64_t position_offset(const problem&, std::int64_t b);

// The keys first, ..., last - 1; none when last <= first.
struct key_span {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool holds(std::int64_t j) const { return first <= j && j < last; }
};

// Computes: the smallest span that holds the keys inside the length of the batch row, the causal
// triangle, the window (or among the global keys) and the chunk.
key_span visible_keys(const problem&, const row_index&);

// Whether keys of visible_keys may be taken out by anything else.
bool has_holes(const problem&);

// Whether everything but mask and bias keeps key j: its place, its segment and the blocks.
bool is_visible(const problem&, const row_index&, std::int64_t j);

// Domain: j is one of visible_keys. Computes: whether none of dilation, blocks, segments, mask and
// a bias that is read as -inf takes it out of the set, nor the window where there are global keys.
// Where the soft cap acts after the mask, mask and bias don't.
bool admits(const problem&, const row_index&, std::int64_t j);

// Computes: whether the logit of key j is -cap, since the soft cap acts on what a mask or a bias of
// -inf has left of its score.
bool is_capped_mask(const problem&, const row_index&, std::int64_t j);

// Computes: whether query i of head h sees key j: it is visible and admitted.
bool keeps(const problem&, const row_index&, std::int64_t j);

// Computes: the kept keys, ascending.
std::vector<std::int64_t> key_set(const problem&, const row_index&);

// Domain: a row without keys and without a sink. Computes: what its output is: NaN where a bias of
// -inf only gives weight 0 and one of its keys has nothing else against it, as 0 / 0 is; otherwise
// what the semantics gives an empty row.
empty_row rule_of_empty_row(const problem&, const row_index&);

}  // namespace attest
