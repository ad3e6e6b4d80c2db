#include "reference/certified/certified_rows.h"

#include <algorithm>

#include "reference/certified/tile.h"

namespace attest {
namespace {

// As many rows as keep what is held of their keys within a few megabytes.
std::size_t rows_at_once(const problem& p, const row_index& first) {
  constexpr std::int64_t most_keys = 1 << 16;
  const std::int64_t rows = std::clamp<std::int64_t>(
      most_keys / std::max<std::int64_t>(p.dims.keys, 1), 1, static_cast<std::int64_t>(tile_rows));
  return static_cast<std::size_t>(std::min(rows, p.dims.queries - first.i));
}

}  // namespace

void certified_rows::pack(const row_index& row) {
  const std::int64_t kv_head = problem_.kv_head(row.h);
  if (head_batch_ == row.b && head_kv_ == kv_head) return;
  head_ = pack_head(problem_, row.b, kv_head);
  head_batch_ = row.b;
  head_kv_ = kv_head;
}

void certified_rows::compute_tile(const row_index& first) {
  pack(first);
  tile_.clear();
  first_ = first;
  for (certified_row& row : certify_tile(problem_, *head_, first, rows_at_once(problem_, first),
                                         {.keys = true}, stages{}))
    tile_.push_back(row.outside ? compute_exact_row(problem_, row.place) : std::move(row.row));
}

const exact_row& certified_rows::at(const row_index& row) {
  const auto count = static_cast<std::int64_t>(tile_.size());
  const bool here =
      row.b == first_.b && row.h == first_.h && first_.i <= row.i && row.i < first_.i + count;
  if (!here) compute_tile(row);
  return tile_[static_cast<std::size_t>(row.i - first_.i)];
}

}  // namespace attest
