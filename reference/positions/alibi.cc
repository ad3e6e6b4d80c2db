#include "reference/positions/alibi.h"

#include <bit>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

double slope(std::int64_t head, std::int64_t heads) {
  return exp2_double(-8 * static_cast<double>(head + 1) / static_cast<double>(heads));
}

}  // namespace

std::vector<double> alibi_slopes(slope_rule rule, std::int64_t heads) {
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  const std::int64_t plain = rule == slope_rule::geometric ? heads : below;
  std::vector<double> all;
  for (std::int64_t h = 0; h < plain; ++h) all.push_back(slope(h, plain));
  for (std::int64_t h = 0; h < heads - plain; ++h) all.push_back(slope(2 * h, 2 * plain));
  return all;
}

}  // namespace attest
