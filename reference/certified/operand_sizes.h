// Sums of the sizes of a tile's operands, from which bounds are computed. All are rounded up.
#pragma once

#include <vector>

#include "reference/certified/packing.h"
#include "reference/certified/row_state.h"

namespace attest {

class operand_sizes {
 public:
  explicit operand_sizes(std::size_t width) : width_(width) {}

  void take_queries(const packed_vectors& slices, std::size_t rows);
  void take_block(const packed_vectors& keys);

  // Computes: sum |q_t| of a row.
  double query_size(std::size_t row) const;
  // Sets products and key_sizes: sum |q_t k_t| and sum |k_t| of a row and the current block.
  void put_products(std::size_t row, kept_block&) const;

 private:
  double raise() const { return 1 + static_cast<double>(2 * width_ + 4) * 0x1p-52; }

  std::size_t width_;
  std::vector<double> queries_;  // |q|, [rows, width]
  std::vector<double> keys_;     // |k| of the current block, as packed
};

}  // namespace attest
