#include "reference/certified/packing.h"

#include <algorithm>
#include <cmath>

#include "reference/certified/logit_rule.h"
#include "reference/certified/stages.h"

namespace attest {
namespace {

constexpr double raise = 1 + 0x1p-40;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

// One row of a tensor's last axis. Result: false, and zeros, where an element is not representable.
bool read_row(const tensor& x, std::int64_t b, std::int64_t h, std::int64_t l, double* row) {
  const std::int64_t width = x.sizes()[3];
  x.read(b, h, l, {row, size(width)});
  if (std::all_of(row, row + width, representable)) return true;
  std::fill(row, row + width, 0.0);
  return false;
}

// From [vectors, length] to [vectors / group, length, group].
void group(std::span<const double> vectors, std::size_t length, std::size_t group, double* groups) {
  if (length == 0) return;
  for (std::size_t n = 0; n < vectors.size() / length; ++n) {
    double* to = groups + n / group * group * length + n % group;
    for (std::size_t t = 0; t < length; ++t) to[t * group] = vectors[n * length + t];
  }
}

packed_slice put_grouped(slice_store& store, const vector_slice& s, std::size_t length,
                         std::size_t in_group) {
  double* values = store.take(s.values.size());
  group(s.values, length, in_group, values);
  double* anchors = store.take(s.anchors.size());
  std::copy(s.anchors.begin(), s.anchors.end(), anchors);
  return {values, anchors, s.bits};
}

// A block's operands before they are packed: k as [block_keys, width], v as [columns, block_keys].
struct block_operands {
  std::vector<double> k;
  std::vector<double> v;
};

packed_vectors pack_keys(block_operands& x, std::size_t width, slice_store& store) {
  packed_vectors packed;
  for (const vector_slice& s :
       slice_vectors(x.k, width, vector_size::euclidean, most_score_bits(width) / 2))
    packed.push_back(put_grouped(store, s, width, key_group));
  return packed;
}

packed_values pack_values(block_operands& x, std::size_t columns, slice_store& store) {
  double* largest = store.take(columns);
  double* total = store.take(columns);
  for (std::size_t d = 0; d < columns; ++d)
    for (std::size_t j = 0; j < block_keys; ++j) {
      const double v = std::fabs(x.v[d * block_keys + j]);
      largest[d] = std::max(largest[d], v);
      total[d] += raise * v;
    }
  packed_values packed{{}, largest, total};
  for (const vector_slice& s :
       slice_vectors(x.v, block_keys, vector_size::absolute, most_value_bits))
    packed.slices.push_back(put_grouped(store, s, block_keys, column_group));
  return packed;
}

void read_block(const problem& p, std::int64_t b, std::int64_t g, std::size_t block,
                packed_head& head, block_operands& x) {
  const std::size_t width = size(p.dims.width), value_width = size(p.dims.value_width);
  x.k.assign(block_keys * width, 0);
  x.v.assign(block_keys * head.columns, 0);
  std::vector<double> value(value_width);
  const std::size_t count = std::min(block_keys, size(p.dims.keys) - block * block_keys);
  for (std::size_t j = 0; j < count; ++j) {
    const auto key = static_cast<std::int64_t>(block * block_keys + j);
    const bool k_fits = read_row(p.k, b, g, key, x.k.data() + j * width);
    const bool v_fits = read_row(p.v, b, g, key, value.data());
    if (!k_fits || !v_fits) head.outside.push_back(key);
    for (std::size_t d = 0; d < value_width; ++d) x.v[d * block_keys + j] = value[d];
  }
}

std::size_t padded(std::int64_t columns) {
  return (size(columns) + column_group - 1) / column_group * column_group;
}

}  // namespace

double* slice_store::take(std::size_t doubles) {
  const std::size_t needed = (doubles + 7) / 8 * 8;
  if (needed > left_) {
    left_ = std::max(needed, pieces_.empty() ? expected_ : expected_ / 8);
    next_ = pieces_.emplace_back(left_).data();
  }
  double* const taken = next_;
  next_ += needed;
  left_ -= needed;
  return taken;
}

packed_slice slice_store::put(const vector_slice& s) {
  double* const values = take(s.values.size());
  std::copy(s.values.begin(), s.values.end(), values);
  double* const anchors = take(s.anchors.size());
  std::copy(s.anchors.begin(), s.anchors.end(), anchors);
  return {values, anchors, s.bits};
}

packed_head pack_head(const problem& p, std::int64_t b, std::int64_t kv_head) {
  const std::size_t columns = padded(p.dims.value_width), width = size(p.dims.width);
  const std::size_t blocks = (size(p.dims.keys) + block_keys - 1) / block_keys;
  packed_head head{slice_store(blocks * (block_keys * (width + columns + 1) + 3 * columns)),
                   rule_of(p),
                   columns,
                   {},
                   {},
                   std::vector<double>(columns),
                   0,
                   {}};
  block_operands x;
  for (std::size_t block = 0; block < blocks; ++block) {
    read_block(p, b, kv_head, block, head, x);
    head.keys.push_back(pack_keys(x, width, head.store));
    head.values.push_back(pack_values(x, columns, head.store));
    head.value_slices += head.values.back().slices.size();
    for (std::size_t d = 0; d < columns; ++d)
      head.largest[d] = std::max(head.largest[d], head.values.back().largest[d]);
  }
  return head;
}

packed_queries pack_queries(const problem& p, std::int64_t b, std::int64_t h, std::int64_t first,
                            std::size_t rows) {
  const std::size_t width = size(p.dims.width);
  packed_queries packed{slice_store(rows * (width + 1) + 8), {}, {}};
  std::vector<double> values(rows * width);
  for (std::size_t r = 0; r < rows; ++r)
    packed.outside.push_back(
        !read_row(p.q, b, h, first + static_cast<std::int64_t>(r), values.data() + r * width));
  for (const vector_slice& s :
       slice_vectors(values, width, vector_size::euclidean, most_score_bits(width) / 2))
    packed.slices.push_back(packed.store.put(s));
  return packed;
}

}  // namespace attest
