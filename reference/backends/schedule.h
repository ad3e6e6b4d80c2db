// In which order an evaluation visits the keys of a row.
#pragma once

#include <cstdint>

namespace attest {

enum class evaluation_order : std::uint8_t {
  two_pass,  // all scores, then the maximum, the sum and the mix
  online,    // blocks of keys with a running maximum and rescaling
  split_kv,  // parts of the keys evaluated apart (each online), then merged
};

struct schedule {
  evaluation_order order = evaluation_order::two_pass;
  std::int64_t size = 0;  // online: keys in a block; split_kv: parts
};

// Keys in a block, where a schedule does not say: in the parts of split_kv.
inline constexpr std::int64_t default_block = 16;
inline constexpr std::int64_t default_parts = 3;

}  // namespace attest
