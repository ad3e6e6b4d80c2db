#include "reference/certified/certified.h"

#include "reference/exact/exact_row.h"

namespace attest {
namespace {

void put_weights(const exact_row& row, const row_index&, const shape& dims, std::int64_t n,
                 certified_answer& answer) {
  for (const exact_key& key : row.keys)
    if (key.key != sink_key)
      answer.weights[static_cast<std::size_t>(n * dims.keys + key.key)] = {
          key.weight, 0, 0x1p-52 * key.weight};
}

}  // namespace

certified_answer certify(const problem& p, const certified_options& options) {
  certified_answer answer;
  const shape& s = p.dims;
  const std::int64_t rows = s.batch * s.query_heads * s.queries;
  if (options.weights) answer.weights.resize(static_cast<std::size_t>(rows * s.keys));
  for (std::int64_t n = 0; n < rows; ++n) {
    const row_index place{n / (s.query_heads * s.queries), n / s.queries % s.query_heads,
                          n % s.queries};
    const exact_row row = compute_exact_row(p, place);
    answer.output.insert(answer.output.end(), row.output.begin(), row.output.end());
    answer.lse.push_back(row.lse);
    if (options.weights) put_weights(row, place, s, n, answer);
    if (options.magnitudes)
      for (std::int64_t d = 0; d < s.value_width; ++d) {
        double sum = 0;
        for (std::size_t k = 0; k < row.keys.size(); ++k)
          sum += row.keys[k].weight * std::fabs(row.value(p, place, k, d));
        answer.magnitudes.push_back(sum * (1 + 0x1p-40));
      }
    ++answer.multiprecision_rows;
  }
  return answer;
}

}  // namespace attest
