// Queries, keys and values of one head, as slices in the order in which the stages read them.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/certified/slices.h"
#include "reference/problems/problem.h"

namespace attest {

struct packed_slice {
  aligned_doubles values;
  aligned_doubles anchors;
  int bits = 0;
};

using packed_vectors = std::vector<packed_slice>;

// One block of values: slices [block_keys, columns], and what bounds each column.
struct packed_values {
  packed_vectors slices;
  aligned_doubles largest;  // max |v|, rounded up
  aligned_doubles total;    // sum |v|, rounded up
};

// The keys and values of one KV head, block by block; beyond the last key, zeros.
struct packed_head {
  std::size_t columns = 0;  // the width of v, padded
  std::vector<packed_vectors> keys;
  std::vector<packed_values> values;
  std::vector<double> largest;        // max |v| of each column over all blocks
  std::vector<std::int64_t> outside;  // ascending: keys whose k or v is not representable
};

packed_head pack_head(const problem&, std::int64_t b, std::int64_t kv_head);

// Rows of q, [rows, width] a slice.
struct packed_queries {
  packed_vectors slices;
  std::vector<bool> outside;  // a row of q that is not representable; zeros stand for it
};

packed_queries pack_queries(const problem&, std::int64_t b, std::int64_t head, std::int64_t first,
                            std::size_t rows);

}  // namespace attest
