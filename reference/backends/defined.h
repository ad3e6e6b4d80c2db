// The definition evaluated in one number throughout. A header for the files that each hold one such
// number.
#pragma once

#include "reference/backends/answer.h"
#include "reference/definition/attention.h"

namespace attest {

// A number as the double nearest to it and the double nearest to what that lacks: enough to round
// it once to any format, unless its own digits end within 2^-106 of a tie.
struct double_pair {
  double nearest;
  double rest = 0;
};

inline double_pair to_pair(double x) { return {x}; }
inline double_pair to_pair(float x) { return {static_cast<double>(x)}; }

template <class T>
requires std::is_class_v<T> double_pair to_pair(const T& x) {
  const auto nearest = x.template convert_to<double>();
  if (!std::isfinite(nearest)) return {nearest};
  return {nearest, T(x - T(nearest)).template convert_to<double>()};
}

template <Number T>
void evaluate_defined(const problem& p, tensor& o, tensor* lse) {
  for_each_row(p.dims, [&](const row_index& place) {
    const attention_row<T> row = attention<T>(p, place);
    for (std::size_t d = 0; d < row.output.size(); ++d) {
      const double_pair x = to_pair(row.output[d]);
      store(o, place, d, x.nearest, x.rest);
    }
    if (lse == nullptr) return;
    const double_pair x = to_pair(as_declared(p.rules, row.lse));
    store(*lse, place, 0, x.nearest, x.rest);
  });
}

}  // namespace attest
