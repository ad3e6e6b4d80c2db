#include "reference/backends/orders.h"

namespace attest {

finished_row ring_row(const staged_row& row, std::int64_t devices) {
  const std::int64_t own = row.place.i * devices / row.p.dims.queries;
  partial_row whole(row.value_width());
  for (std::int64_t hop = 0; hop < devices; ++hop) {
    const std::int64_t n = (own - hop + devices) % devices;
    merge(row.in, stored_part(row, nth_part(row.p, n, devices)), whole);
  }
  return finish(row, whole);
}

}  // namespace attest
