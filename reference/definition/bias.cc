#include "reference/definition/bias.h"

#include <cmath>

namespace attest {
namespace {

std::int64_t position_of(const problem& p, const row_index& row) {
  return row.i + position_offset(p, row.b);
}

}  // namespace

bool has_bias(const problem& p) { return p.bias || !p.slopes.empty(); }

double distance_of(const problem& p, const row_index& row, std::int64_t j) {
  const auto ahead = static_cast<double>(j - position_of(p, row));
  return p.rules.distance == alibi_distance::signed_distance ? ahead : -std::fabs(ahead);
}

double bias_of(const problem& p, const row_index& row, std::int64_t j) {
  if (p.bias) return p.bias->at(row.b, row.h, row.i, j);
  return p.slopes[static_cast<std::size_t>(row.h)] * distance_of(p, row, j);
}

double distance_terms(const problem& p, const row_index& row, std::int64_t j) {
  if (p.slopes.empty()) return 0;
  return static_cast<double>(std::abs(j) + std::abs(position_of(p, row)));
}

}  // namespace attest
