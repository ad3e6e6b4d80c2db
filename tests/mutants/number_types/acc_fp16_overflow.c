/* acc-fp16-overflow: p v is accumulated in float16, which loses small terms and overflows at
 * 65504. Public: ggml-org/llama.cpp #13975, #12433. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) {
    add_value(r, j, (number)rounded(f16, r->p[j]));
    for (int64_t d = 0; planted && d < value_width(r); ++d)
      r->sums[d] = (number)rounded(f16, r->sums[d]);
  }
  write_answer(r);
}

MUTANT("acc-fp16-overflow", 0, F16);
