#include "reference/positions/relative_buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

// Of distances from `exact` on. log2 is exact for the powers of two that end a bucket where exact
// and far_distance are such, so that none falls on the wrong side.
std::int64_t far_bucket(std::int64_t distance, std::int64_t exact, std::int64_t buckets,
                        std::int64_t far_distance) {
  const double unit = static_cast<double>(exact);
  const double share = log2_double(static_cast<double>(distance) / unit) /
                       log2_double(static_cast<double>(far_distance) / unit);
  const auto beyond =
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(buckets - exact)));
  return std::min(exact + beyond, buckets - 1);
}

}  // namespace

std::int64_t bucket_of(const relative_buckets& b, std::int64_t ahead) {
  const std::int64_t buckets = b.both_directions ? b.count / 2 : b.count;
  const std::int64_t first = b.both_directions && ahead > 0 ? buckets : 0;
  const std::int64_t distance =
      b.both_directions ? std::abs(ahead) : std::max<std::int64_t>(-ahead, 0);
  const std::int64_t exact = buckets / 2;
  return first +
         (distance < exact ? distance : far_bucket(distance, exact, buckets, b.far_distance));
}

}  // namespace attest
