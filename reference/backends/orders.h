// The orders in which a row is evaluated in stages. Domain: the row has a logit.
#pragma once

#include "reference/backends/partial_row.h"
#include "reference/backends/schedule.h"

namespace attest {

// Computes: the row with its final maximum from the start. Where the contract lets weights be
// normalised they are, p / l stored and then multiplied by v, as the definition does: with every
// stage in f32 and subnormals kept, the bits of attention<float>. Otherwise as one block of the
// online order.
finished_row two_pass_row(const staged_row&);

// Computes: the row by blocks of so many key positions, of which those that keep no key are
// skipped.
finished_row online_row(const staged_row&, std::int64_t block);

// Computes: the row by parts of the key positions, as equal as can be, each online in blocks of
// default_block; their o goes to partial_storage, and they are merged from the first to the last.
// One part: the bits of online_row.
finished_row split_kv_row(const staged_row&, std::int64_t parts);

// Computes: the same parts, merged with their right neighbours until one is left. Two parts: the
// bits of split_kv_row.
finished_row merge_tree_row(const staged_row&, std::int64_t parts);

// Computes: the same parts, one on each device of a ring; queries are spread over them likewise,
// and merge their own device's part first, then those that arrive from behind.
finished_row ring_row(const staged_row&, std::int64_t devices);

// Computes: the row from two parts: the keys before its chunk of queries, and the rest. Queries
// stand at the last positions of the keys. A chunk of all of as many queries as keys: the bits of
// online_row.
finished_row chunked_prefill_row(const staged_row&, std::int64_t chunk);

// Key positions first to last - 1.
struct key_range {
  std::int64_t first;
  std::int64_t last;
};

// Computes: how many key positions there are to visit. A sink needs one, the last, even beside no
// key.
inline std::int64_t positions(const problem& p) { return p.dims.keys > 0 ? p.dims.keys : 1; }

// Computes: the part of a row over some key positions, by blocks.
partial_row online_part(const staged_row&, key_range, std::int64_t block);

// Computes: the n-th of so many parts of the key positions, online in blocks of default_block, its
// o in partial_storage.
partial_row stored_part(const staged_row&, key_range);
key_range nth_part(const problem&, std::int64_t n, std::int64_t parts);

}  // namespace attest
