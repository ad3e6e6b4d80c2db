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

}  // namespace attest
