#include "reference/certified/settle.h"

#include <algorithm>
#include <mutex>

#include "reference/certified/rows_in_parallel.h"
#include "reference/certified/tile.h"
#include "reference/exact/exact_row.h"

namespace attest {
namespace {

constexpr int first_bits = 512;
constexpr int most_bits = 16384;

// The elements of a row that are still open.
std::vector<element_place> open_elements(const question& ask, const row_index& place,
                                         const exact_row& row) {
  std::vector<element_place> open;
  if (!ask({place, -1}, row.lse)) open.push_back({place, -1});
  for (std::size_t d = 0; d < row.output.size(); ++d) {
    const element_place element{place, static_cast<std::int64_t>(d)};
    if (!ask(element, row.output[d])) open.push_back(element);
  }
  return open;
}

class settler {
 public:
  settler(const problem& p, const question& ask) : problem_(p), ask_(ask) {}

  void settle_tile(const packed_head& head, const row_index& first, std::size_t rows) {
    for (const certified_row& row : certify_tile(problem_, head, first, rows, {}, quick_stages)) {
      if (!row.outside && open_elements(ask_, row.place, row.row).empty())
        count(&settlement::in_double);
      else
        settle_row(head, row.place);
    }
  }

  settlement take() {
    std::sort(result_.open.begin(), result_.open.end());
    return std::move(result_);
  }

 private:
  void settle_row(const packed_head& head, const row_index& place) {
    const certified_row row = certify_tile(problem_, head, place, 1, {}, stages{}).front();
    if (!row.outside && open_elements(ask_, place, row.row).empty())
      count(&settlement::in_double_double);
    else
      settle_in_multiprecision(place);
  }

  void settle_in_multiprecision(const row_index& place) {
    count(&settlement::in_multiprecision);
    std::vector<element_place> open =
        open_elements(ask_, place, compute_exact_row(problem_, place));
    for (int bits = first_bits; bits <= most_bits && !open.empty(); bits *= 2)
      open = open_elements(ask_, place, compute_exact_row(problem_, place, bits));
    const std::lock_guard lock(counting_);
    result_.open.insert(result_.open.end(), open.begin(), open.end());
  }

  void count(std::int64_t settlement::*rows) {
    const std::lock_guard lock(counting_);
    ++(result_.*rows);
  }

  const problem& problem_;
  const question& ask_;
  std::mutex counting_;
  settlement result_;
};

}  // namespace

settlement settle(const problem& p, const question& ask, const certified_options& options) {
  settler rows(p, ask);
  for_each_tile(p, options, [&](const packed_head& head, const row_index& first, std::size_t n) {
    rows.settle_tile(head, first, n);
  });
  return rows.take();
}

}  // namespace attest
