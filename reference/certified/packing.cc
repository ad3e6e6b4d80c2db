#include "reference/certified/packing.h"

#include <algorithm>
#include <cmath>

#include "reference/certified/stages.h"

namespace attest {
namespace {

constexpr double raise = 1 + 0x1p-40;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

// One row of a tensor's last axis. Result: false, and zeros, where an element is not representable.
bool read_row(const tensor& x, std::int64_t b, std::int64_t h, std::int64_t l, double* row) {
  const std::int64_t width = x.sizes()[3];
  for (std::int64_t t = 0; t < width; ++t) row[t] = x.at(b, h, l, t);
  if (std::all_of(row, row + width, representable)) return true;
  std::fill(row, row + width, 0.0);
  return false;
}

aligned_doubles aligned(const std::vector<double>& x) {
  aligned_doubles copy(x.size());
  std::copy(x.begin(), x.end(), copy.data());
  return copy;
}

// From [block_keys, width] to [block_keys / key_group, width, key_group].
aligned_doubles grouped(const std::vector<double>& rows, std::size_t width) {
  aligned_doubles groups(rows.size());
  for (std::size_t j = 0; j < block_keys; ++j)
    for (std::size_t t = 0; t < width; ++t)
      groups[(j / key_group * width + t) * key_group + j % key_group] = rows[j * width + t];
  return groups;
}

// From [columns, block_keys] to [block_keys, columns].
aligned_doubles transposed(const std::vector<double>& columns, std::size_t count) {
  aligned_doubles rows(columns.size());
  for (std::size_t d = 0; d < count; ++d)
    for (std::size_t j = 0; j < block_keys; ++j) rows[j * count + d] = columns[d * block_keys + j];
  return rows;
}

packed_vectors pack_keys(std::vector<double> rows, std::size_t width) {
  packed_vectors packed;
  for (const vector_slice& s :
       slice_vectors(std::move(rows), width, vector_size::euclidean, most_score_bits(width) / 2))
    packed.push_back({grouped(s.values, width), aligned(s.anchors), s.bits});
  return packed;
}

packed_values pack_values(std::vector<double> columns, std::size_t count) {
  packed_values packed{{}, aligned_doubles(count), aligned_doubles(count)};
  for (std::size_t d = 0; d < count; ++d)
    for (std::size_t j = 0; j < block_keys; ++j) {
      const double v = std::fabs(columns[d * block_keys + j]);
      packed.largest[d] = std::max(packed.largest[d], v);
      packed.total[d] += raise * v;
    }
  for (const vector_slice& s :
       slice_vectors(std::move(columns), block_keys, vector_size::absolute, most_value_bits))
    packed.slices.push_back({transposed(s.values, count), aligned(s.anchors), s.bits});
  return packed;
}

// Reads a block of keys: k as [block_keys, width], v as [columns, block_keys].
struct block_operands {
  std::vector<double> k;
  std::vector<double> v;
};

block_operands read_block(const problem& p, std::int64_t b, std::int64_t g, std::size_t block,
                          packed_head& head) {
  const std::size_t width = size(p.dims.width), value_width = size(p.dims.value_width);
  block_operands x{std::vector<double>(block_keys * width),
                   std::vector<double>(block_keys * head.columns)};
  std::vector<double> value(value_width);
  const std::size_t count = std::min(block_keys, size(p.dims.keys) - block * block_keys);
  for (std::size_t j = 0; j < count; ++j) {
    const auto key = static_cast<std::int64_t>(block * block_keys + j);
    const bool k_fits = read_row(p.k, b, g, key, &x.k[j * width]);
    const bool v_fits = read_row(p.v, b, g, key, value.data());
    if (!k_fits || !v_fits) head.outside.push_back(key);
    for (std::size_t d = 0; d < value_width; ++d) x.v[d * block_keys + j] = value[d];
  }
  return x;
}

}  // namespace

packed_head pack_head(const problem& p, std::int64_t b, std::int64_t kv_head) {
  packed_head head;
  head.columns = (size(p.dims.value_width) + column_group - 1) / column_group * column_group;
  head.largest.resize(head.columns);
  const std::size_t blocks = (size(p.dims.keys) + block_keys - 1) / block_keys;
  for (std::size_t block = 0; block < blocks; ++block) {
    block_operands x = read_block(p, b, kv_head, block, head);
    head.keys.push_back(pack_keys(std::move(x.k), size(p.dims.width)));
    head.values.push_back(pack_values(std::move(x.v), head.columns));
    for (std::size_t d = 0; d < head.columns; ++d)
      head.largest[d] = std::max(head.largest[d], head.values.back().largest[d]);
  }
  return head;
}

packed_queries pack_queries(const problem& p, std::int64_t b, std::int64_t h, std::int64_t first,
                            std::size_t rows) {
  const std::size_t width = size(p.dims.width);
  packed_queries packed;
  std::vector<double> values(rows * width);
  for (std::size_t r = 0; r < rows; ++r)
    packed.outside.push_back(
        !read_row(p.q, b, h, first + static_cast<std::int64_t>(r), &values[r * width]));
  for (const vector_slice& s :
       slice_vectors(std::move(values), width, vector_size::euclidean, most_score_bits(width) / 2))
    packed.slices.push_back({aligned(s.values), aligned(s.anchors), s.bits});
  return packed;
}

}  // namespace attest
