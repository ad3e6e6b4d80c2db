// Sums of products, in any order and on any kind of unit.
#pragma once

#include <span>

#include "derivation/unlucky/unlucky_unit.h"

namespace attest {

enum class sum_shape : std::uint8_t {
  in_order,
  reversed,
  tree,   // a random binary tree
  fused,  // groups added at once: aligned to the largest addend and truncated
};

struct summation {
  sum_shape shape = sum_shape::in_order;
  bool multiply_add = false;  // products are not rounded before they are added
  std::size_t group = 4;      // products in a fused group
};

std::string_view name_of(sum_shape);

struct term {
  real a{0, 0};
  real b{1, 0};
};

// Computes: start + sum a b. away: the side to which pressure `away` takes the sum.
real unlucky_sum(unlucky_unit&, const summation&, std::span<const term>, const real& start,
                 double away, luck&);

}  // namespace attest
