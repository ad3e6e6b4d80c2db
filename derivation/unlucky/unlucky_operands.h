// q, k and v on their way into products.
#pragma once

#include <span>

#include "derivation/unlucky/row_setting.h"

namespace attest {

// A row of an operand as the products see it: codes times a scale, which is 1 unless it is
// quantised.
struct operand_row {
  std::vector<real> codes;
  real scale = one;
};

// How a row comes in: multiplied by a factor, converted as the contract says, and quantised where
// largest, the largest size that its quantisation scale is made of, is not 0.
struct way_in {
  const conversion& how;
  real factor = one;
  double largest = 0;
};

// Computes: the row. unit: the stage that reads it. away: for each element, the side to which
// pressure `away` takes it.
operand_row brought_in(const row_setting&, unlucky_unit& unit, const way_in&,
                       std::span<const double> values, std::span<const double> away, luck&);

}  // namespace attest
