// Buckets of relative positions, whose learned bias a score gets. Source: Raffel et al.,
// arXiv:1910.10683, section 2.1, as T5's code has them.
#pragma once

#include <cstdint>

namespace attest {

struct relative_buckets {
  std::int64_t count = 32;          // of both directions together; even where there are both
  std::int64_t far_distance = 128;  // from which on all share the last bucket
  bool both_directions = true;      // otherwise keys after the query share bucket 0
};

// Computes: the bucket of a key at `ahead` = key - query. Half of a direction's buckets hold one
// distance each, the others distances that grow geometrically.
// Domain: count >= 2 a direction, far_distance > half of a direction's buckets.
std::int64_t bucket_of(const relative_buckets&, std::int64_t ahead);

}  // namespace attest
