#include "reference/certified/rows_in_parallel.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <mutex>

#include "reference/certified/stages.h"

namespace attest {
namespace {

class progress_count {
 public:
  progress_count(const problem& p, const certified_options& options)
      : all_(p.dims.batch * p.dims.query_heads * p.dims.queries), tell_(options.progress) {}

  void add(std::int64_t rows) {
    if (!tell_) return;
    const std::lock_guard lock(counting_);
    done_ += rows;
    tell_(done_, all_);
  }

 private:
  std::int64_t all_;
  std::int64_t done_ = 0;
  std::mutex counting_;
  const std::function<void(std::int64_t, std::int64_t)>& tell_;
};

// The rows of the query heads that share one KV head.
void visit_head(const problem& p, std::int64_t b, std::int64_t kv_head, const tile_visit& visit,
                progress_count& progress) {
  const packed_head head = pack_head(p, b, kv_head);
  const auto tile = static_cast<std::int64_t>(tile_rows);
  const std::int64_t tiles = (p.dims.queries + tile - 1) / tile;
  tbb::parallel_for(std::int64_t{0}, p.dims.query_heads * tiles, [&](std::int64_t n) {
    const row_index first{b, n / tiles, n % tiles * tile};
    if (p.kv_head(first.h) != kv_head) return;
    const std::int64_t rows = std::min(tile, p.dims.queries - first.i);
    visit(head, first, static_cast<std::size_t>(rows));
    progress.add(rows);
  });
}

}  // namespace

void for_each_tile(const problem& p, const certified_options& options, const tile_visit& visit) {
  const int cores = tbb::info::default_concurrency();
  progress_count progress(p, options);
  tbb::task_arena arena(options.threads == 0 ? cores : std::min(options.threads, cores));
  arena.execute([&] {
    tbb::parallel_for(std::int64_t{0}, p.dims.batch * p.dims.kv_heads, [&](std::int64_t n) {
      visit_head(p, n / p.dims.kv_heads, n % p.dims.kv_heads, visit, progress);
    });
  });
}

}  // namespace attest
