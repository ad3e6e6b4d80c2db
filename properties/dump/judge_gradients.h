// Judging stored gradients, element by element.
#pragma once

#include "properties/dump/gradient_dump.h"
#include "properties/verdict.h"
#include "reference/contract/contract.h"

namespace attest {

// Computes: the judgement of every gradient that was stored, within the bound of
//   derivation/bounds/gradient.md; of a key that nothing sees it is exactly 0.
// Error: input_error for members and contracts that the bound does not cover, for numbers that are
//   not finite among the inputs, and for a problem of more than most_gradient_products.
// Special: undecided is a bound above vacuous_share of the sum of the sizes of an element's terms,
//   and a NaN where the semantics makes rows without keys NaN or leaves them open.
// Cost: interval arithmetic (exact_gradient.h).
judgement judge_gradients(const gradient_dump&, const contract&);

// B Hq Lq Lk (D + Dv): a minute or so.
inline constexpr double most_gradient_products = 0x1p25;

}  // namespace attest
