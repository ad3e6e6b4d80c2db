/* scores-in-tf32: q and k are rounded to TF32 for their product, in a kernel that says that
 * every stage is float32. */
#include "tests/mutants/plain.h"

static number stored(number x) { return planted ? (number)rounded(tf32, x) : x; }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    r->t[j] = 0;
    for (int64_t n = 0; n < width(r); ++n) r->t[j] += stored(query(r, n)) * stored(key(r, j, n));
    r->t[j] *= r->scale;
  }
  attend_to_scores(r);
}

MUTANT("scores-in-tf32", 0, F32);
