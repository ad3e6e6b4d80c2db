// Key sets written out as a boolean mask.
#pragma once

#include <functional>

#include "reference/definition/key_set.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// Computes: the problem with a mask that keeps a key where the old one does and kept says so.
// axes: bit k, those of [B, Hq, Lq, Lk] along which kept varies.
problem with_mask(const problem&, unsigned axes,
                  const std::function<bool(const row_index&, std::int64_t)>& kept);

// Computes: the problem whose mask also leaves out what lengths, segments, causal triangle, window
// and patterns do. They stay as they are: the caller drops those that the mask stands for.
problem with_visible_keys_as_mask(const problem&);

// Computes: the same without window, dilation, chunks, global keys, blocks and segments, for which
// the mask stands. Lengths and a causal triangle stay.
problem with_patterns_as_mask(const problem&);

// Result: no soft cap where it acts on what the mask has made of the scores: a masked key is then
// in the key set, and a mask does not take out what positions do.
problem_spec without_capped_mask(problem_spec);

}  // namespace attest
