// Whether two enclosures can both be right.
#pragma once

#include <cmath>

#include "reference/exact/enclosure.h"

namespace attest {

// Result: whether they meet, or are the same infinity, or both NaN.
inline bool agree(const enclosure& x, const enclosure& y) {
  if (!std::isfinite(x.high) || !std::isfinite(y.high))
    return x.high == y.high || (std::isnan(x.high) && std::isnan(y.high));
  return std::fabs((x.high - y.high) + (x.low - y.low)) <= x.radius + y.radius;
}

}  // namespace attest
