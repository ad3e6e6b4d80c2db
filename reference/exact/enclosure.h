// A real number known to lie within a radius of an unevaluated sum of two doubles.
#pragma once

#include <cmath>

namespace attest {

// |x - (high + low)| <= radius; low is at most half an ulp of high. A NaN or infinite high is
// exact.
struct enclosure {
  double high = 0;
  double low = 0;
  double radius = 0;
};

// The distance of an observed double from the enclosed number lies in [least, most].
struct distance {
  double least = 0;
  double most = 0;
};

// Domain: x and observed are finite.
inline distance distance_to(const enclosure& x, double observed) {
  // observed - high is exact or correctly rounded; the factor covers the three roundings of this
  // line.
  const double d = std::fabs((observed - x.high) - x.low);
  const double slack = x.radius + 0x1p-51 * d;
  return {d > slack ? d - slack : 0, d + slack};
}

}  // namespace attest
