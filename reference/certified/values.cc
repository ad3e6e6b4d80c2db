// Values: the weighted sums of a block's values, added to the running sums of each row.
//
// The high parts of the weights are multiplied and summed without error, in the two fixed-point
// accumulators of scores.cc; the low parts, below 2^-52, are summed in double, in chains of 16
// keys.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/values.cc"
#include <hwy/foreach_target.h>

#include "reference/certified/double_double-inl.h"
#include "reference/certified/fixed_point-inl.h"
#include "reference/certified/radius-inl.h"
#include "reference/certified/stages.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

constexpr std::size_t chain_keys = 16;
constexpr std::size_t chains = block_keys / chain_keys;

// Adds x to three parts that hold a sum between them, all of them times `keep`.
HWY_INLINE void add_to_parts(const value_row& row, std::size_t column, double_doubles x) {
  const lanes d;
  const vector keep = all(row.keep), add = all(row.add);
  double* const part[3] = {row.sums.part[0] + column, row.sums.part[1] + column,
                           row.sums.part[2] + column};
  const double_doubles first = two_sum(hn::Mul(hn::Load(d, part[0]), keep), hn::Mul(x.hi, add));
  const double_doubles second = two_sum(hn::Mul(hn::Load(d, part[1]), keep), hn::Mul(x.lo, add));
  const double_doubles third = two_sum(second.hi, first.lo);
  const vector rest = hn::Add(hn::Mul(hn::Load(d, part[2]), keep), hn::Add(second.lo, third.lo));
  hn::Store(first.hi, d, part[0]);
  hn::Store(third.hi, d, part[1]);
  hn::Store(rest, d, part[2]);
}

// What a row's weights and a few columns sum up to: the high parts, and each chain of low parts.
template <std::size_t Vectors>
struct column_sums {
  fixed_point_pair high[Vectors];
  alignas(64) double low[chains][column_group];
};

template <std::size_t Vectors>
HWY_INLINE void sum_products(const value_operands& x, const value_row& row, std::size_t column,
                             column_sums<Vectors>& result) {
  const lanes d;
  fixed_point_pair sums[Vectors];
  for (std::size_t n = 0; n < Vectors; ++n)
    sums[n] = empty_pair(hn::LoadU(d, x.anchors + column + n * hn::Lanes(d)));
  const double* v = group_of(x, column);
  for (std::size_t c = 0; c < chains; ++c) {
    vector chain[Vectors];
    for (std::size_t n = 0; n < Vectors; ++n) chain[n] = hn::Zero(d);
    for (std::size_t j = c * chain_keys; j < (c + 1) * chain_keys; ++j, v += column_group) {
      const vector high = all(row.high[j]), low = all(row.low[j]);
      for (std::size_t n = 0; n < Vectors; ++n)
        chain[n] = hn::Add(chain[n], hn::Mul(low, hn::Load(d, v + n * hn::Lanes(d))));
      for (std::size_t n = 0; n < Vectors; ++n)
        add_product(sums[n], high, hn::Load(d, v + n * hn::Lanes(d)));
    }
    for (std::size_t n = 0; n < Vectors; ++n)
      hn::Store(chain[n], d, result.low[c] + n * hn::Lanes(d));
  }
  for (std::size_t n = 0; n < Vectors; ++n) result.high[n] = sums[n];
}

template <std::size_t Vectors>
HWY_INLINE void sum_columns(const value_operands& x, const value_row& row, std::size_t column) {
  const lanes d;
  column_sums<Vectors> sums;
  sum_products(x, row, column, sums);
  for (std::size_t n = 0; n < Vectors; ++n) {
    const std::size_t lane = n * hn::Lanes(d), at = column + lane;
    const double_doubles high = total(sums.high[n], hn::LoadU(d, x.anchors + at));
    const vector low =
        hn::Add(hn::Add(hn::Load(d, sums.low[0] + lane), hn::Load(d, sums.low[1] + lane)),
                hn::Add(hn::Load(d, sums.low[2] + lane), hn::Load(d, sums.low[3] + lane)));
    add_to_parts(row, at, two_sum(high.hi, hn::Add(high.lo, low)));
    add_to_radius(x, row, at);
  }
}

void sum_block(const value_operands& x, std::span<value_row> rows) {
  constexpr std::size_t vectors = column_group / hn::MaxLanes(lanes());
  for (std::size_t column = 0; column < x.columns; column += column_group)
    for (const value_row& row : rows) sum_columns<vectors>(x, row, column);
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attest {

HWY_EXPORT(sum_block);

void sum_block(const value_operands& x, std::span<value_row> rows) {
  HWY_DYNAMIC_DISPATCH(sum_block)(x, rows);
}

}  // namespace attest
#endif
