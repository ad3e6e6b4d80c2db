// Walking over the rows of an answer and storing them.
#pragma once

#include "reference/definition/key_set.h"
#include "reference/formats/rounding.h"
#include "reference/tensors/tensor.h"

namespace attest {

// Calls visit(row_index) for every row, the last query fastest.
template <class Visit>
void for_each_row(const shape& dims, Visit visit) {
  row_index row;
  for (row.b = 0; row.b < dims.batch; ++row.b)
    for (row.h = 0; row.h < dims.query_heads; ++row.h)
      for (row.i = 0; row.i < dims.queries; ++row.i) visit(row);
}

// Computes: t[row, d] = value + residual, rounded once to the format of t (as round_to).
inline void store(tensor& t, const row_index& row, std::size_t d, double value,
                  double residual = 0) {
  t.set({row.b, row.h, row.i, static_cast<std::int64_t>(d)},
        round_to(t.element(), {}, value, residual));
}

}  // namespace attest
