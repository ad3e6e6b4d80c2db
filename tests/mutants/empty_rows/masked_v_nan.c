/* masked-v-nan: the last tile is multiplied with v as a whole; the keys beyond the length have
 * weight 0 there, but what lies in their slots of v may be NaN, and 0 * NaN is NaN. Public:
 * Dao-AILab/flash-attention #1745, #2374, vllm-project/vllm #936. */
#include "tests/mutants/online.h"

static int64_t end_of_tile(const row* r) {
  const int64_t last = (r->keys + tile_size - 1) / tile_size * tile_size;
  return planted ? smaller(last, r->v->sizes[2]) : r->keys;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  for (int64_t j = r->keys; j < end_of_tile(r); ++j)
    for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] += 0 * value(r, j, d);
  write_answer(r);
}

MUTANT("masked-v-nan", ATTEST_LENGTHS | ATTEST_MASK, F32);
