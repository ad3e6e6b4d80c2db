#include "reference/positions/sinusoidal.h"

#include "reference/elementary/elementary.h"

namespace attest {

double sinusoidal_embedding(std::int64_t position, std::int64_t column, std::int64_t width) {
  const double even = static_cast<double>(column - column % 2);
  const double slowed = exp_double(-even / static_cast<double>(width) * log_double(10000));
  const double angle = static_cast<double>(position) * slowed;
  return column % 2 == 0 ? sin_double(angle) : cos_double(angle);
}

}  // namespace attest
