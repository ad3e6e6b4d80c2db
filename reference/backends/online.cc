#include <algorithm>

#include "reference/backends/orders.h"

namespace attest {

partial_row online_part(const staged_row& row, key_range keys, std::int64_t block) {
  const std::int64_t end = positions(row.p);
  partial_row part(row.value_width());
  for (std::int64_t first = keys.first; first < keys.last; first += block) {
    const std::int64_t last = std::min(first + block, keys.last);
    absorb(row, {row.logits.before(first, end), row.logits.before(last, end)}, part);
  }
  return part;
}

finished_row online_row(const staged_row& row, std::int64_t block) {
  return finish(row, online_part(row, {0, positions(row.p)}, block));
}

}  // namespace attest
