// The reference of gradients: the definition in intervals.
#pragma once

#include "reference/definition/gradient.h"
#include "reference/exact/enclosure.h"

namespace attest {

// Computes: every gradient of gradient.h as an enclosure that contains the exact value, at rising
//   precision, for every member of the family.
// Error: a radius of at most 2^-80 of the value or 2^-160 of the greatest value of its tensor, or
// of
//   2^-1074, as a rule; larger where 2,048 bits reach neither. A gradient beyond the doubles is an
//   infinity.
// Domain: finite inputs and cotangents. Special: an infinite radius where the definition has a
// kink,
//   or where it can't be told whether there is a sum to divide by.
// Cost: interval arithmetic, for problems of up to a few million products.
attention_gradient<enclosure> exact_gradient(const problem&, const cotangents&);

}  // namespace attest
