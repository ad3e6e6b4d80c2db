// Step 4 of the definition: which keys a query sees.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// The place of one output row: batch row, query head, query.
struct row_index {
  std::int64_t b = 0;
  std::int64_t h = 0;
  std::int64_t i = 0;
};

// Computes: how far the causal and window positions of queries are shifted: query i stands at i +
// offset. bottom_right: valid Lk - Lq of the batch row; otherwise 0.
std::int64_t position_offset(const problem&, std::int64_t b);

// Computes: whether query i of head h sees key j: inside the length of the batch row, the causal
// triangle, the window and the mask, and not removed by a bias of -inf.
bool keeps(const problem&, const row_index&, std::int64_t j);

// Computes: the kept keys, ascending.
std::vector<std::int64_t> key_set(const problem&, const row_index&);

}  // namespace attest
