// Scores: dot products of a tile of rows with a block of keys, without any rounding error.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/scores.cc"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <bit>

#include "reference/certified/double_double-inl.h"
#include "reference/certified/fixed_point-inl.h"
#include "reference/certified/stages.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

constexpr std::size_t group_vectors = key_group / hn::MaxLanes(lanes());

HWY_INLINE void put(const score_operands& x, std::size_t row, std::size_t key, double_doubles sum,
                    score_tile& tile) {
  const lanes d;
  double* high = &tile.high[row][key];
  double* low = &tile.low[row][key];
  if (x.further) sum = plus(double_doubles{hn::Load(d, high), hn::Load(d, low)}, sum);
  hn::Store(sum.hi, d, high);
  hn::Store(sum.lo, d, low);
}

HWY_INLINE vector anchor_of(const score_operands& x, std::size_t row, std::size_t key) {
  return hn::Mul(all(x.q_anchors[row]), hn::LoadU(lanes(), x.k_anchors + key));
}

// The scores of a few rows from `row` on and the keys of one group.
template <std::size_t Rows>
HWY_INLINE void score_group(const score_operands& x, std::size_t row, std::size_t group,
                            score_tile& tile) {
  const lanes d;
  fixed_point_pair sums[Rows][group_vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < group_vectors; ++n)
      sums[r][n] = empty_pair(anchor_of(x, row + r, group * key_group + n * hn::Lanes(d)));
  const double* k = x.k + group * key_group * x.width;
  const double* q = x.q + row * x.width;
  for (std::size_t t = 0; t < x.width; ++t)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t n = 0; n < group_vectors; ++n)
        add_product(sums[r][n], all(q[r * x.width + t]),
                    hn::Load(d, k + t * key_group + n * hn::Lanes(d)));
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < group_vectors; ++n) {
      const std::size_t key = group * key_group + n * hn::Lanes(d);
      put(x, row + r, key, total(sums[r][n], anchor_of(x, row + r, key)), tile);
    }
}

// The same for scores that one double holds: fused or not, every sum is exact.
template <std::size_t Rows>
HWY_INLINE void single_group(const score_operands& x, std::size_t row, std::size_t group,
                             score_tile& tile) {
  const lanes d;
  vector sums[Rows][group_vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < group_vectors; ++n) sums[r][n] = hn::Zero(d);
  const double* k = x.k + group * key_group * x.width;
  const double* q = x.q + row * x.width;
  for (std::size_t t = 0; t < x.width; ++t)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t n = 0; n < group_vectors; ++n)
        sums[r][n] = hn::MulAdd(all(q[r * x.width + t]),
                                hn::Load(d, k + t * key_group + n * hn::Lanes(d)), sums[r][n]);
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < group_vectors; ++n)
      put(x, row + r, group * key_group + n * hn::Lanes(d), {sums[r][n], hn::Zero(d)}, tile);
}

// As many rows at once as the registers take.
constexpr std::size_t score_rows = 3;
constexpr std::size_t single_rows = 2 * score_rows;

HWY_INLINE bool are_single(const score_operands& x, std::size_t row, std::size_t group) {
  const int* k = x.k_bits + group * key_group;
  const int* q = x.q_bits + row;
  return *std::max_element(q, q + single_rows) + *std::max_element(k, k + key_group) <=
         single_score_bits;
}

void score_block(const score_operands& x, score_tile& tile) {
  for (std::size_t group = 0; group < block_keys / key_group; ++group) {
    std::size_t row = 0;
    for (; row + single_rows <= x.rows; row += single_rows) {
      if (are_single(x, row, group)) {
        single_group<single_rows>(x, row, group, tile);
      } else {
        score_group<score_rows>(x, row, group, tile);
        score_group<score_rows>(x, row + score_rows, group, tile);
      }
    }
    for (; row < x.rows; ++row) score_group<1>(x, row, group, tile);
  }
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attest {

HWY_EXPORT(score_block);

void score_block(const score_operands& x, score_tile& tile) {
  HWY_DYNAMIC_DISPATCH(score_block)(x, tile);
}

int most_score_bits(std::size_t length) { return 104 - static_cast<int>(std::bit_width(length)); }

}  // namespace attest
#endif
