#include "reference/certified/certified.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "reference/certified/tile.h"
#include "reference/exact/exact_row.h"

namespace attest {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

// A row in multiprecision, in the shape of the fast engine's.
certified_row multiprecision_row(const problem& p, const row_index& place,
                                 const certified_options& options) {
  const exact_row exact = compute_exact_row(p, place);
  certified_row row;
  row.place = place;
  row.row = exact;
  if (options.weights) {
    row.weights.resize(size(p.dims.keys));
    for (const exact_key& k : exact.keys)
      if (k.key != sink_key)
        row.weights[size(k.key)] = {k.weight, 0, 0x1p-52 * k.weight + 0x1p-1074};
  }
  // What a product of each key loses to underflow.
  const double tiny = 0x1p-1074 * static_cast<double>(p.dims.keys + 1);
  for (std::int64_t d = 0; options.magnitudes && d < p.dims.value_width; ++d) {
    double sum = 0;
    for (std::size_t n = 0; n < exact.keys.size(); ++n)
      sum += exact.keys[n].weight * std::fabs(exact.value(p, place, n, d));
    row.magnitudes.push_back((1 + 0x1p-30) * sum + tiny);
  }
  return row;
}

// The rows of a problem, put where the answer wants them.
class collector {
 public:
  collector(const problem& p, const certified_options& options)
      : problem_(p), options_(options), all_(p.dims.batch * p.dims.query_heads * p.dims.queries) {
    answer_.output.resize(size(all_ * p.dims.value_width));
    answer_.lse.resize(size(all_));
    if (options.weights) answer_.weights.resize(size(all_ * p.dims.keys));
    if (options.magnitudes) answer_.magnitudes.resize(size(all_ * p.dims.value_width));
  }

  void put(std::vector<certified_row> rows) {
    std::int64_t outside = 0;
    for (certified_row& row : rows) {
      if (row.outside) {
        row = multiprecision_row(problem_, row.place, options_);
        ++outside;
      }
      put(row);
    }
    count(static_cast<std::int64_t>(rows.size()), outside);
  }

  certified_answer take() { return std::move(answer_); }

 private:
  void put(const certified_row& row) {
    const shape& s = problem_.dims;
    const std::int64_t n = (row.place.b * s.query_heads + row.place.h) * s.queries + row.place.i;
    const auto copy = [n](const auto& from, auto& to, std::int64_t width) {
      std::copy(from.begin(), from.end(), to.begin() + n * width);
    };
    answer_.lse[size(n)] = row.row.lse;
    copy(row.row.output, answer_.output, s.value_width);
    copy(row.weights, answer_.weights, s.keys);
    copy(row.magnitudes, answer_.magnitudes, s.value_width);
  }

  void count(std::int64_t rows, std::int64_t outside) {
    const std::lock_guard lock(counting_);
    done_ += rows;
    answer_.multiprecision_rows += outside;
    if (options_.progress) options_.progress(done_, all_);
  }

  const problem& problem_;
  const certified_options& options_;
  std::int64_t all_;
  std::int64_t done_ = 0;
  std::mutex counting_;
  certified_answer answer_;
};

// The rows of the query heads that share one KV head, tile by tile.
void certify_head(const problem& p, std::int64_t b, std::int64_t kv_head,
                  const certified_options& options, const stages& run, collector& rows) {
  const packed_head head = pack_head(p, b, kv_head);
  const auto tile = static_cast<std::int64_t>(tile_rows);
  const std::int64_t tiles = (p.dims.queries + tile - 1) / tile;
  tbb::parallel_for(std::int64_t{0}, p.dims.query_heads * tiles, [&](std::int64_t n) {
    const row_index first{b, n / tiles, n % tiles * tile};
    if (p.kv_head(first.h) != kv_head) return;
    const wanted ask{.weights = options.weights, .magnitudes = options.magnitudes};
    rows.put(
        certify_tile(p, head, first, size(std::min(tile, p.dims.queries - first.i)), ask, run));
  });
}

}  // namespace

certified_answer certify(const problem& p, const certified_options& options, const stages& run) {
  collector rows(p, options);
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena(options.threads == 0 ? cores : std::min(options.threads, cores));
  arena.execute([&] {
    tbb::parallel_for(std::int64_t{0}, p.dims.batch * p.dims.kv_heads, [&](std::int64_t n) {
      certify_head(p, n / p.dims.kv_heads, n % p.dims.kv_heads, options, run, rows);
    });
  });
  return rows.take();
}

certified_answer certify(const problem& p, const certified_options& options) {
  return certify(p, options, stages{});
}

}  // namespace attest
