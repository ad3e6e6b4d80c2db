/* mask-by-blocks: the mask is looked up once for eight keys: they are seen if one of them is. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  if (!planted) return kept(r, j);
  for (int64_t n = j / 8 * 8; n < smaller(j / 8 * 8 + 8, r->keys); ++n)
    if (kept(r, n)) return true;
  return false;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("mask-by-blocks", ATTEST_MASK, F32);
