// What linear attention makes of a coordinate of q or k. Inputs are known exactly, so their sign
// is.
#pragma once

#include "reference/definition/number.h"

namespace attest {

// elu(x) + 1: x + 1, below 0 exp(x).
template <Number T>
T elu_plus_1(double x) {
  return x < 0 ? T(exp_of(T(x))) : T(T(x) + T(1));
}

template <Number T>
T positive_part(double x) {
  return T(x > 0 ? x : 0);
}

}  // namespace attest
