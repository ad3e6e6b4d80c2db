#include <algorithm>

#include "reference/backends/orders.h"

namespace attest {

finished_row chunked_prefill_row(const staged_row& row, std::int64_t chunk) {
  const std::int64_t all = positions(row.p);
  const std::int64_t before = row.place.i - row.place.i % chunk;  // queries before the chunk
  const std::int64_t cached = std::clamp<std::int64_t>(all - row.p.dims.queries + before, 0, all);
  partial_row whole(row.value_width());
  merge(row.in, stored_part(row, {0, cached}), whole);
  merge(row.in, stored_part(row, {cached, all}), whole);
  return finish(row, whole);
}

}  // namespace attest
