/* halves-of-wide-heads-overlap: heads of 128 columns and more are multiplied in two halves, which
 * both hold the 64th product. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && width(r) >= 128 && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] += r->scale * query(r, 63) * key(r, j, 63);
  attend_to_scores(r);
}

MUTANT("halves-of-wide-heads-overlap", 0, F32);
