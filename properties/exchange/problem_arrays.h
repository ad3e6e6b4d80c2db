// A problem as the arrays that a file of it holds, and an answer from the arrays of a file.
#pragma once

#include "properties/exchange/array.h"
#include "reference/problems/problem.h"

namespace attest {

// Result: q, k, v and, where the problem has them, mask, bias, block_mask, dropout_mask, sink [Hq],
//   slopes [Hq], the parameters of the scorer as parameter_0, ...; lengths [B], query_segments [B,
//   Lq] and key_segments [B, Lk], each in its own format; properties/exchange/array_problem.h reads
//   them back. Where k and v lie in pages, they are the pools [pages, Hkv, page, D or Dv], with
//   page_table [B, pages of a row] and lengths beside them. Of masks and bias, axes along which
//   they are broadcast have size 1. What true means in `mask` is as the problem's semantics says.
named_arrays to_arrays(const problem&);

// Computes: a tensor of [B, H, L, D] in row-major order.
array to_array(const tensor&);
// The other way round. Domain: the array has the tensor's sizes, and numbers of its format.
void copy_to(tensor&, const array&);

}  // namespace attest
