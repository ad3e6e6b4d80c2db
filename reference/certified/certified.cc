#include "reference/certified/certified.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "reference/certified/rows_in_parallel.h"
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
  // Of a weight that underflows; of other members what exact_row.h says.
  const bool is_plain = p.rules.is_softmax() && p.rules.scores_by_products();
  const double lost = is_plain ? 0x1p-1074 : 0x1p-100;
  if (options.weights) {
    row.weights.resize(size(p.dims.keys));
    for (const exact_key& k : exact.keys)
      if (k.key != sink_key)
        row.weights[size(k.key)] = {k.weight, 0, 0x1p-52 * std::fabs(k.weight) + lost};
  }
  for (std::int64_t d = 0; options.magnitudes && d < p.dims.value_width; ++d) {
    double sum = 0;
    for (std::size_t n = 0; n < exact.keys.size(); ++n)
      sum += (std::fabs(exact.keys[n].weight) + lost) * std::fabs(exact.value(p, place, n, d)) +
             0x1p-1074;
    row.magnitudes.push_back((1 + 0x1p-30) * sum);
  }
  return row;
}

// The rows of a problem, put where the answer wants them.
class collector {
 public:
  collector(const problem& p, const certified_options& options) : problem_(p), options_(options) {
    const std::int64_t rows = p.dims.batch * p.dims.query_heads * p.dims.queries;
    answer_.output.resize(size(rows * p.dims.value_width));
    answer_.lse.resize(size(rows));
    if (options.weights) answer_.weights.resize(size(rows * p.dims.keys));
    if (options.magnitudes) answer_.magnitudes.resize(size(rows * p.dims.value_width));
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
    const std::lock_guard lock(counting_);
    answer_.multiprecision_rows += outside;
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

  const problem& problem_;
  const certified_options& options_;
  std::mutex counting_;
  certified_answer answer_;
};

}  // namespace

certified_answer certify(const problem& p, const certified_options& options, const stages& run) {
  collector rows(p, options);
  const wanted ask{.weights = options.weights, .magnitudes = options.magnitudes};
  for_each_tile(p, options, [&](const packed_head& head, const row_index& first, std::size_t n) {
    rows.put(certify_tile(p, head, first, n, ask, run));
  });
  return rows.take();
}

certified_answer certify(const problem& p, const certified_options& options) {
  return certify(p, options, stages{});
}

}  // namespace attest
