/* greatest-64-only: only the first 64 keys of the greatest scores take part. */
#include "tests/mutants/plain.h"

/* How many keys come before key j in the order of their scores. */
static int64_t rank_of(const row* r, const number* t, int64_t j) {
  int64_t rank = 0;
  for (int64_t n = 0; n < r->keys; ++n) rank += t[n] > t[j] || (t[n] == t[j] && n < j);
  return rank;
}

static void answer(row* r) {
  attend(r);
  if (!planted || r->keys <= 64) return;
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = r->t[j];
  for (int64_t j = 0; j < r->keys; ++j)
    if (rank_of(r, r->p, j) >= 64) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("greatest-64-only", 0, F32);
