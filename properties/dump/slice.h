// One row of a dump, cut out with the keys that it sees: small enough to send to somebody.
#pragma once

#include "properties/dump/dump.h"
#include "properties/exchange/array.h"
#include "reference/definition/key_set.h"

namespace attest {

// Result: the row as a problem of its own, [1, 1, 1, D], without lengths, causal triangle and
//   window, as only keys are left that it sees; mask and bias where they still say something.
//   Semantics, scale and cap are those of the dump.
dump cut_row(const dump&, const row_index&);

// Result: q, k, v, o and, where there are any, mask, bias, sink, lse, in the formats that they were
// stored in.
named_arrays to_arrays(const dump&);

}  // namespace attest
