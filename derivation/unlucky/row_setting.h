// One row, the plan by which it is evaluated and what that is aimed at.
#pragma once

#include <vector>

#include "derivation/unlucky/evaluation_plan.h"
#include "reference/exact/exact_row.h"

namespace attest {

// The largest sizes of the rows of a tensor [B, H, L, D]: what quantisation scales are made of.
class row_sizes {
 public:
  explicit row_sizes(const tensor&);

  // Computes: the largest |x| in the block of so many rows, one of which begins at `from`, that
  // holds row l. rows 0: in the tensor.
  double in_block(const index4& row, std::int64_t rows, std::int64_t from) const;

 private:
  index4 shape_;
  std::vector<double> largest_;
  double of_all_ = 0;
};

struct operand_sizes {
  explicit operand_sizes(const problem& p) : q(p.q), k(p.k), v(p.v) {}
  row_sizes q, k, v;
};

struct row_setting {
  const contract& kept;
  const evaluation_plan& plan;
  const problem& posed;
  const operand_sizes* sizes;  // where the contract quantises
  row_index place;
  const exact_row& exact;  // not empty

  std::size_t keys() const { return exact.keys.size(); }
  std::size_t width() const { return static_cast<std::size_t>(posed.dims.width); }
  std::size_t value_width() const { return exact.output.size(); }
  bool is_sink(std::size_t n) const { return exact.keys[n].key == sink_key; }
  // Computes: where row l of q, or of k and v, lies.
  index4 q_row() const { return {place.b, place.h, place.i, 0}; }
  index4 key_row(std::size_t n) const {
    return {place.b, posed.kv_head(place.h), exact.keys[n].key, 0};
  }
  // Computes: the largest size that a quantisation scale of the row is made of; 0: it has none.
  double quantised_size(row_sizes operand_sizes::*operand, const index4& row) const;

  // Computes: the column that is aimed at.
  std::size_t column() const { return static_cast<std::size_t>(plan.column % value_width()); }
  double value(std::size_t n, std::size_t d) const {
    return exact.value(posed, place, n, static_cast<std::int64_t>(d));
  }
  // Computes: the derivative of what is aimed at by the logarithm of the weight of key n, short of
  // the weight itself and of positive factors: where it's positive a larger weight is unluckier.
  double pull(std::size_t n) const;
};

}  // namespace attest
