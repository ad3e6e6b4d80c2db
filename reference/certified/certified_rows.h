// The rows of one problem, by the fast engine, in the shape that bounds are computed from.
#pragma once

#include <optional>
#include <vector>

#include "reference/certified/packing.h"
#include "reference/exact/exact_row.h"

namespace attest {

// Keeps a reference to the problem. Rows that follow each other are computed together.
class certified_rows {
 public:
  explicit certified_rows(const problem& p) : problem_(p) {}

  const problem& posed() const { return problem_; }

  // Computes: the row. Error: enclosures as certify() gives them; what describes the keys, within
  // 2^-36 of each number, or of the terms that make it up where these cancel.
  // Special: outside the fast engine's domain, compute_exact_row. Result: valid until the next
  // call.
  const exact_row& at(const row_index&);

 private:
  void compute_tile(const row_index&);
  void pack(const row_index&);

  const problem& problem_;
  std::optional<packed_head> head_;
  std::int64_t head_batch_ = -1, head_kv_ = -1;
  row_index first_;              // of the tile
  std::vector<exact_row> tile_;  // consecutive queries from first_ on
};

}  // namespace attest
