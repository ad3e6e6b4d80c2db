#include "reference/formats/spacing.h"

#include <algorithm>
#include <cmath>

namespace attest {

double spacing_at(const format& f, double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, f.min_exponent) - f.precision + 1);
}

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5;
}

}  // namespace attest
