// Problems made of parts of another one: some of its batch rows, heads, queries or keys, in any
// order.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// What is taken along each axis, in the order of the new problem; an entry may come twice.
struct selection {
  std::vector<std::int64_t> batch, query_heads, kv_heads, queries, keys;
};

// Result: first, ..., last - 1.
std::vector<std::int64_t> interval(std::int64_t first, std::int64_t last);

selection everything(const problem&);

// Computes: the problem of what is selected, its q, k and v laid out as said. Masks and bias stay
// broadcast along the axes along which they are; lengths go with the batch rows, as they are, and
// sinks with the query heads. Causal triangle and window are left as they are too: whether
// positions keep their meaning is for the caller to see to. Domain: layout::shared only where the
// selected batch rows are equal.
problem select(const problem&, const selection&, layout);

// Computes: the same elements, laid out as said.
tensor laid_out(const tensor&, layout);

// Bit k: the array varies along axis k.
unsigned varying_axes(const placement&);

}  // namespace attest
