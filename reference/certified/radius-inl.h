// The radius of a row's running sums, as a block adds to it. Compiled for each instruction set.
#if defined(ATTEST_RADIUS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTEST_RADIUS_INL_H
#undef ATTEST_RADIUS_INL_H
#else
#define ATTEST_RADIUS_INL_H
#endif

#include "reference/certified/double_double-inl.h"
#include "reference/certified/stages.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

// The block's values in the group of columns that a column belongs to.
HWY_INLINE const double* group_of(const value_operands& x, std::size_t column) {
  return x.v + column / column_group * column_group * block_keys;
}

HWY_INLINE void raise_radius(const value_row& row, std::size_t column, vector error) {
  const lanes d;
  double* radius = row.sums.radius + column;
  hn::Store(hn::Add(hn::Mul(hn::Load(d, radius), all(row.keep)), error), d, radius);
}

// The radius from the block's errors and what bounds its values.
HWY_INLINE void bound_radius(const value_operands& x, const value_row& row, std::size_t column) {
  const lanes d;
  raise_radius(row, column,
               hn::Add(hn::Mul(all(row.weight_error), hn::LoadU(d, x.largest + column)),
                       hn::Mul(all(row.fixed_error), hn::LoadU(d, x.total + column))));
}

// The radius from the errors of the keys, where keys that the row doesn't see may hold anything.
HWY_INLINE void measure_radius(const value_operands& x, const value_row& row, std::size_t column) {
  const lanes d;
  const double* v = group_of(x, column) + column % column_group;
  vector error = hn::Zero(d);
  for (std::size_t j = 0; j < block_keys; ++j)
    error = hn::Add(error, hn::Mul(all(row.errors[j]), hn::Abs(hn::Load(d, v + j * column_group))));
  raise_radius(row, column, hn::Mul(all(row.add), error));
}

// Adds what the block adds to the radius of the columns of one vector.
HWY_INLINE void add_to_radius(const value_operands& x, const value_row& row, std::size_t column) {
  if (row.errors != nullptr)
    measure_radius(x, row, column);
  else if (!x.further)
    bound_radius(x, row, column);
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
