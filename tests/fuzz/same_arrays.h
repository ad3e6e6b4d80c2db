// Whether two reads found the same.
#pragma once

#include <algorithm>
#include <cmath>

#include "properties/exchange/array.h"

namespace attest {

inline bool same_value(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

inline bool same_array(const array& a, const array& b) {
  return a.kind == b.kind && a.element == b.element && a.sizes == b.sizes &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same_value);
}

inline bool same_arrays(const named_arrays& a, const named_arrays& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same_array(x.second, y.second);
  });
}

}  // namespace attest
