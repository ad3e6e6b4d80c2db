// The stages of the first pass: the same steps in plain double, about as fast as a matrix product.
// Operations are not fused, so that every instruction set gives the same bits here, too.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/quick.cc"
#include <hwy/foreach_target.h>

#include <algorithm>

#include "reference/certified/logits-inl.h"
#include "reference/certified/radius-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

HWY_INLINE vector plus_product(vector sum, vector a, vector b) {
  return hn::Add(sum, hn::Mul(a, b));
}

template <std::size_t Rows>
HWY_INLINE void quick_group(const score_operands& x, std::size_t row, std::size_t group,
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
        sums[r][n] = plus_product(sums[r][n], all(q[r * x.width + t]),
                                  hn::Load(d, k + t * key_group + n * hn::Lanes(d)));
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < group_vectors; ++n) {
      double* high = &tile.high[row + r][group * key_group + n * hn::Lanes(d)];
      hn::Store(x.further ? hn::Add(sums[r][n], hn::Load(d, high)) : sums[r][n], d, high);
    }
}

void quick_score_block(const score_operands& x, score_tile& tile) {
  constexpr std::size_t rows_at_once = 5;
  for (std::size_t group = 0; group < block_keys / key_group; ++group) {
    std::size_t row = 0;
    for (; row + rows_at_once <= x.rows; row += rows_at_once)
      quick_group<rows_at_once>(x, row, group, tile);
    for (; row < x.rows; ++row) quick_group<1>(x, row, group, tile);
  }
}

struct quick_exponentials {
  vector fraction;
  vector power;
};

// Computes: e^t = fraction 2^power. Domain: |t| <= 2^14. Error: below quick_error, relative: the
// table, the polynomial (r^5 / 120 < 2^-59), r (2^-62) and three roundings.
HWY_INLINE quick_exponentials quick_exponential(vector t) {
  const reduced_arguments x = reduce({t, hn::Zero(lanes())});
  const vector r = x.r.hi;
  vector tail = hn::Add(all(1. / 6), hn::Mul(r, all(1. / 24)));
  tail = hn::Add(all(0.5), hn::Mul(r, tail));
  tail = hn::Mul(r, hn::Add(all(1), hn::Mul(r, tail)));
  const vector root = hn::GatherIndex(lanes(), roots_of_two_hi, x.index);
  return {hn::Add(root, hn::Mul(root, tail)), x.power};
}

struct quick_block {
  alignas(64) double fraction[block_keys];
  alignas(64) double power[block_keys];  // -inf: weighs nothing
  alignas(64) double error[block_keys];  // relative, of the weight
};

HWY_INLINE void quick_exponentiate(const logit_rule& rule, const logit_terms& terms, std::size_t j,
                                   vector score, quick_block& e, row_weights& row) {
  const lanes d;
  const logits x =
      logits_of(rule, terms.bias == nullptr ? nullptr : terms.bias + j, {score, hn::Zero(d)});
  const vector error = hn::Add(x.error, hn::Mul(all(quick_logit_error), hn::Abs(x.t.hi)));
  const vector t = classify(x.t.hi, terms.removed == nullptr ? nullptr : terms.removed + j,
                            hn::Add(error, all(rule.weight_error)), most_quick_error, row);
  const auto weighs = hn::Ge(t, all(-most_logit));
  const quick_exponentials w = quick_exponential(hn::IfThenElseZero(weighs, t));
  hn::Store(w.fraction, d, e.fraction + j);
  hn::Store(hn::IfThenElse(weighs, w.power, all(-infinity)), d, e.power + j);
  hn::Store(hn::IfThenElseZero(weighs, error), d, e.error + j);
}

void quick_weigh_block(const logit_rule& rule, const logit_terms& terms, const double* high,
                       const double*, row_weights& row) {
  const lanes d;
  quick_block e;
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d))
    quick_exponentiate(rule, terms, j, hn::Load(d, high + j), e, row);
  const double greatest = *std::max_element(e.power, e.power + block_keys);
  row.any = greatest > -infinity;
  if (!row.any) return;
  row.power = static_cast<int>(greatest) + 1;
  vector mass[group_vectors], errors[group_vectors];
  for (std::size_t n = 0; n < group_vectors; ++n) mass[n] = errors[n] = hn::Zero(d);
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d)) {
    const vector factor =
        power_of_two_or_0(hn::Sub(hn::Load(d, e.power + j), all(static_cast<double>(row.power))));
    const vector w = hn::Mul(hn::Load(d, e.fraction + j), factor);
    const vector error =
        hn::Mul(w, hn::Mul(hn::Add(all(rule.weight_error), hn::Load(d, e.error + j)),
                           all(1 + most_quick_error)));
    const std::size_t lane = j % key_group / hn::Lanes(d);
    mass[lane] = hn::Add(mass[lane], w);
    errors[lane] = hn::Add(errors[lane], error);
    hn::Store(w, d, row.high + j);
    if (row.errors != nullptr) hn::Store(hn::Add(error, all(quick_floor)), d, row.errors + j);
  }
  row.mass[0] = sum_lanes(mass);
  row.error = sum_lanes(errors) * (1 + most_quick_error) + quick_floor;
}

template <std::size_t Rows>
HWY_INLINE void quick_columns(const value_operands& x, const value_row* rows, std::size_t column) {
  constexpr std::size_t vectors = column_group / hn::MaxLanes(lanes());
  const lanes d;
  vector sums[Rows][vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < vectors; ++n) sums[r][n] = hn::Zero(d);
  const double* v = group_of(x, column);
  for (std::size_t j = 0; j < block_keys; ++j, v += column_group)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t n = 0; n < vectors; ++n)
        sums[r][n] =
            plus_product(sums[r][n], all(rows[r].high[j]), hn::Load(d, v + n * hn::Lanes(d)));
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t n = 0; n < vectors; ++n) {
      const std::size_t at = column + n * hn::Lanes(d);
      double* part = rows[r].sums.part[0] + at;
      const vector before = hn::Mul(hn::Load(d, part), all(rows[r].keep));
      hn::Store(hn::Add(before, hn::Mul(sums[r][n], all(rows[r].add))), d, part);
      add_to_radius(x, rows[r], at);
    }
}

void quick_sum_block(const value_operands& x, std::span<value_row> rows) {
  constexpr std::size_t rows_at_once = 3;
  for (std::size_t column = 0; column < x.columns; column += column_group) {
    std::size_t row = 0;
    for (; row + rows_at_once <= rows.size(); row += rows_at_once)
      quick_columns<rows_at_once>(x, &rows[row], column);
    for (; row < rows.size(); ++row) quick_columns<1>(x, &rows[row], column);
  }
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attest {

HWY_EXPORT(quick_score_block);
HWY_EXPORT(quick_weigh_block);
HWY_EXPORT(quick_sum_block);

void quick_score_block(const score_operands& x, score_tile& tile) {
  HWY_DYNAMIC_DISPATCH(quick_score_block)(x, tile);
}

void quick_weigh_block(const logit_rule& rule, const logit_terms& terms, const double* high,
                       const double* low, row_weights& row) {
  HWY_DYNAMIC_DISPATCH(quick_weigh_block)(rule, terms, high, low, row);
}

void quick_sum_block(const value_operands& x, std::span<value_row> rows) {
  HWY_DYNAMIC_DISPATCH(quick_sum_block)(x, rows);
}

}  // namespace attest
#endif
