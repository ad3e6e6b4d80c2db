// A problem made of arrays that somebody else computed, and answers as arrays.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "properties/exchange/array.h"
#include "properties/exchange/problem_files.h"
#include "reference/problems/problem.h"

namespace attest {

struct array_problem {
  problem posed;  // in f64, which holds every value, but for the bias: what its lowest number means
                  // may depend on its format; no causal mask, window, pattern, scale, cap or
                  // dropout scale: the caller sets those
  std::size_t rank = 4;  // of q, and so of the answer
};

// Shapes: q, k and v of rank 2 [L, D], 3 [H, L, D] or 4 [B, H, L, D], the same for all; the number
//   of q's heads a multiple of k's; mask and dropout_mask (booleans, true keeps) and bias of rank 0
//   to 4, broadcast to [B, Hq, Lq, Lk] as NumPy does; sink and slopes [Hq] (numbers of float32, and
//   no bias beside them) and lengths [B] (integers), or rank 0 where that is 1; query_segments [B,
//   Lq] and key_segments [B, Lk] (integers); block_mask (booleans) of rank 2 to 4, its last two
//   axes as they are. Beside a page_table [B, pages of a row] (integers) k and v are pools [pages,
//   Hkv, page, D] and [pages, Hkv, page, Dv], q is of rank 4, and lengths is there. An entry is a
//   page of the pool, or -1 where that page would hold no valid key. Lk is then the last size of
//   mask, bias, dropout_mask or key_segments where it is not 1, otherwise the largest of lengths.
//   k and v of the problem are what the table finds.
// Error: input_error naming the array and what does not fit.
array_problem to_problem(const found_arrays&);
// Error: input_error for a scale of dropout below 1 or above 2^40, and for one other than 1 without
// a mask. Both by the names that they have where they were given.
void require_dropout(const problem&, std::string_view scale, std::string_view mask);

array_problem read_problem(const problem_files&);

// Error: input_error where the block mask of a problem whose pattern is set does not cover its
// queries and keys, or one stands without the other.
void require_blocks(const problem&);

// Computes: the values of a [B, H, L, ...] tensor as an array of q's rank: the axes in front that q
// lacks are left out.
// Domain: full_sizes begins with B and H, which are 1 where the rank leaves them out.
array to_array(std::vector<double> values, const std::vector<std::int64_t>& full_sizes,
               std::size_t q_rank, const format& element);

}  // namespace attest
