#include <algorithm>

#include "reference/backends/orders.h"

namespace attest {
namespace {

// Of the parts first to last - 1. What is merged is stored, but for the whole.
partial_row merged_parts(const staged_row& row, std::int64_t first, std::int64_t last,
                         std::int64_t parts) {
  if (last - first == 1) return stored_part(row, nth_part(row.p, first, parts));
  std::int64_t half = 1;
  while (2 * half < last - first) half *= 2;
  partial_row whole = merged_parts(row, first, first + half, parts);
  merge(row.in, merged_parts(row, first + half, last, parts), whole);
  const bool is_all = last - first == parts;
  if (!is_all)
    for (double& o : whole.o) o = row.in.partial_storage.convert(o);
  return whole;
}

}  // namespace

finished_row merge_tree_row(const staged_row& row, std::int64_t parts) {
  const std::int64_t filled = std::min(parts, positions(row.p));  // the others hold no key
  return finish(row, merged_parts(row, 0, filled, filled));
}

}  // namespace attest
