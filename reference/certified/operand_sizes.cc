#include "reference/certified/operand_sizes.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

// The sizes of the numbers whose slices these are.
std::vector<double> sizes_of(const packed_vectors& slices, std::size_t count) {
  std::vector<double> sizes(count);
  for (const packed_slice& slice : slices)
    for (std::size_t n = 0; n < count; ++n) sizes[n] += slice.values[n];
  for (double& size : sizes) size = std::fabs(size);
  return sizes;
}

}  // namespace

void operand_sizes::take_queries(const packed_vectors& slices, std::size_t rows) {
  queries_ = sizes_of(slices, rows * width_);
}

void operand_sizes::take_block(const packed_vectors& keys) {
  keys_ = sizes_of(keys, block_keys * width_);
}

double operand_sizes::query_size(std::size_t row) const {
  double sum = 0;
  for (std::size_t t = 0; t < width_; ++t) sum += queries_[row * width_ + t];
  return sum * raise();
}

void operand_sizes::put_products(std::size_t row, kept_block& block) const {
  std::fill(block.products, block.products + block_keys, 0.0);
  std::fill(block.key_sizes, block.key_sizes + block_keys, 0.0);
  const double* k = keys_.data();
  for (std::size_t j = 0; j < block_keys; j += key_group)
    for (std::size_t t = 0; t < width_; ++t, k += key_group)
      for (std::size_t n = 0; n < key_group; ++n) {
        block.products[j + n] += queries_[row * width_ + t] * k[n];
        block.key_sizes[j + n] += k[n];
      }
  for (double& x : block.products) x *= raise();
  for (double& x : block.key_sizes) x *= raise();
}

}  // namespace attest
