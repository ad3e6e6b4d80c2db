#include "reference/backends/orders.h"

namespace attest {

key_range nth_part(const problem& p, std::int64_t n, std::int64_t parts) {
  const std::int64_t all = positions(p);
  return {n * all / parts, (n + 1) * all / parts};
}

partial_row stored_part(const staged_row& row, key_range keys) {
  partial_row part = online_part(row, keys, default_block);
  for (double& o : part.o) o = row.in.partial_storage.convert(o);
  return part;
}

finished_row split_kv_row(const staged_row& row, std::int64_t parts) {
  partial_row whole(row.value_width());
  for (std::int64_t n = 0; n < parts; ++n)
    merge(row.in, stored_part(row, nth_part(row.p, n, parts)), whole);
  return finish(row, whole);
}

}  // namespace attest
