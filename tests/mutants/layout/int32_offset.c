/* int32-offset: the offset of a key in k is kept in too few bits and wraps; 14 stand here for
 * the 31 of a large cache. Public: thu-ml/SageAttention #386, SHI-Labs/NATTEN #347. */
#include "tests/mutants/plain.h"

static number dot_where_offset_wraps(const row* r, int64_t j) {
  const int64_t first = offset(r->k, r->b, r->g, j, 0);
  const bool wraps = planted && first > 0x3fff;
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n)
    sum += query(r, n) * read_at(r->k, (wraps ? first & 0x3fff : first) + n * r->k->strides[3]);
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = r->scale * dot_where_offset_wraps(r, j);
  attend_to_scores(r);
}

MUTANT("int32-offset", 0, F32);
