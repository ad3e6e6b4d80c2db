#include "reference/backends/orders.h"

namespace attest {
namespace {

partial_row stored_part(const staged_row& row, key_range keys) {
  partial_row part = online_part(row, keys, default_block);
  for (double& o : part.o) o = row.in.partial_storage.convert(o);
  return part;
}

}  // namespace

finished_row split_kv_row(const staged_row& row, std::int64_t parts) {
  const std::int64_t all = positions(row.p);
  partial_row whole(row.value_width());
  for (std::int64_t s = 0; s < parts; ++s)
    merge(row.in, stored_part(row, {s * all / parts, (s + 1) * all / parts}), whole);
  return finish(row, whole);
}

}  // namespace attest
