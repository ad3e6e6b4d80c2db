#include "derivation/unlucky/unlucky_operands.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

// The first of two roundings may come before the factor. Where the format is narrower than the
// unit's, the product is rounded in the unit first.
real converted(const row_setting& row, unlucky_unit& unit, unlucky_unit& narrow, const way_in& way,
               real x, double away) {
  const conversion& how = way.how;
  const bool narrows = how.times > 0 && how.to.number->precision < row.kept.inputs->precision;
  const bool multiplies = !is_one(way.factor);
  if (how.times > 0) x = narrow.read(x);
  if (narrows && (!multiplies || how.times > 1)) x = narrow.rounded(x, away);
  if (!multiplies) return x;
  if (how.to.number->precision >= unit.number().precision)
    return narrow.multiplied(x, way.factor, away);
  return narrow.rounded(unit.multiplied(x, way.factor, away), away);
}

// x / scale as a code; what rounding takes beyond the largest code stays there.
real quantised(unlucky_unit& unit, unlucky_unit& code, const real& x, const real& scale,
               double away) {
  const real share = unit.divided(x, scale, away);
  const double largest = largest_finite(code.number());
  if (std::fabs(share.hi) > largest) return {std::copysign(largest, share.hi), 0};
  return code.rounded(share, away);
}

}  // namespace

operand_row brought_in(const row_setting& row, unlucky_unit& unit, const way_in& way,
                       std::span<const double> values, std::span<const double> away, luck& draws) {
  unlucky_unit narrow(way.how.to, row.plan.rounding, draws);
  operand_row result;
  for (std::size_t t = 0; t < values.size(); ++t)
    result.codes.push_back(converted(row, unit, narrow, way, unit.read({values[t], 0}), away[t]));
  if (way.largest == 0) return result;
  const stage codes{row.kept.quantised_to};
  unlucky_unit code(codes, row.plan.rounding, draws);
  const double largest = way.largest * std::fabs(way.factor.hi);
  if (largest == 0) return result;
  result.scale = unit.divided({largest, 0}, {largest_finite(*codes.number), 0}, 0);
  for (std::size_t t = 0; t < values.size(); ++t)
    result.codes[t] = quantised(unit, code, result.codes[t], result.scale, away[t]);
  return result;
}

}  // namespace attest
