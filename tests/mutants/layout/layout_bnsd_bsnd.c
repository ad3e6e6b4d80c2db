/* layout-bnsd-bsnd: the memory of v, [B, H, L, D], is read as [B, L, H, D]. Invisible for one
 * head, or one key. Public: facebookresearch/xformers #761, Dao-AILab/flash-attention #1300. */
#include "tests/mutants/plain.h"

/* Element [b, j, g, d] of the same memory. */
static number transposed_value(const row* r, int64_t j, int64_t d) {
  const int64_t place = j * kv_heads(r) + r->g, keys = r->v->sizes[2];
  return read(r->v, r->b, place / keys, place % keys, d);
}

static void answer(row* r) {
  attend(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d)
      r->sums[d] += r->p[j] * (planted ? transposed_value(r, j, d) : value(r, j, d));
  write_answer(r);
}

MUTANT("layout-bnsd-bsnd", 0, F32);
