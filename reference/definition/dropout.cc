#include "reference/definition/dropout.h"

namespace attest {

bool drops(const problem& p, const row_index& row, std::int64_t j) {
  return p.dropout_mask && !p.dropout_mask->at({row.b, row.h, row.i, j});
}

double met_value(const problem& p, const row_index& row, std::int64_t j, std::int64_t d) {
  return drops(p, row, j) ? 0 : p.dropout_scale * p.v.at(row.b, p.kv_head(row.h), j, d);
}

}  // namespace attest
