// Queries, keys and values of one head, as slices in the order in which the stages read them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/certified/slices.h"
#include "reference/certified/stages.h"
#include "reference/problems/problem.h"

namespace attest {

// One slice as a stage reads it.
struct packed_slice {
  const double* values = nullptr;
  const double* anchors = nullptr;
  std::vector<int> bits;
};

using packed_vectors = std::vector<packed_slice>;

// One block of values: slices [columns / column_group, block_keys, column_group], and what bounds
// each column.
struct packed_values {
  packed_vectors slices;
  const double* largest = nullptr;  // max |v|, rounded up
  const double* total = nullptr;    // sum |v|, rounded up
};

// Memory for many slices, in few pieces: on some systems fresh pages cost more than what is done
// with them.
class slice_store {
 public:
  // doubles: what is expected in all.
  explicit slice_store(std::size_t doubles) : expected_(doubles) {}
  // Result: zeros, aligned to a cache line, that live as long as the store.
  double* take(std::size_t doubles);
  packed_slice put(const vector_slice&);

 private:
  std::size_t expected_;
  std::size_t left_ = 0;
  double* next_ = nullptr;
  std::vector<aligned_doubles> pieces_;
};

// The keys and values of one KV head, block by block; beyond the last key, zeros.
struct packed_head {
  slice_store store;
  logit_rule rule;          // of the problem
  std::size_t columns = 0;  // the width of v, padded
  std::vector<packed_vectors> keys;
  std::vector<packed_values> values;
  std::vector<double> largest;        // max |v| of each column over all blocks
  std::size_t value_slices = 0;       // of all blocks: as many additions to a row's sums
  std::vector<std::int64_t> outside;  // ascending: keys whose k or v is not representable
};

packed_head pack_head(const problem&, std::int64_t b, std::int64_t kv_head);

// Rows of q, [rows, width] a slice.
struct packed_queries {
  slice_store store;
  packed_vectors slices;
  std::vector<bool> outside;  // a row of q that is not representable; zeros stand for it
};

packed_queries pack_queries(const problem&, std::int64_t b, std::int64_t head, std::int64_t first,
                            std::size_t rows);

}  // namespace attest
