// In which order an evaluation visits the keys of a row.
#pragma once

#include <cstdint>

namespace attest {

enum class evaluation_order : std::uint8_t {
  two_pass,  // all scores, then the maximum, the sum and the mix
  online,    // blocks of keys with a running maximum and rescaling
  // Parts of the keys evaluated apart (each online), then merged:
  split_kv,         // one after the other
  merge_tree,       // in pairs of neighbours, and those in pairs again
  ring,             // from the part that lies with the query backwards, round the ring
  chunked_prefill,  // the cache before the query's chunk, then the chunk; of one query: decoding
};

struct schedule {
  evaluation_order order = evaluation_order::two_pass;
  std::int64_t size = 0;  // online: keys in a block; chunked_prefill: queries in a chunk; otherwise
                          // parts
};

// Keys in a block, where a schedule does not say: in parts.
inline constexpr std::int64_t default_block = 16;
inline constexpr std::int64_t default_parts = 3;
inline constexpr std::int64_t default_chunk = 4;

}  // namespace attest
