/* bool-polarity: the mask is read as the keys to remove, when it names the keys to keep. Public:
 * lucidrains/x-transformers #160, pytorch/pytorch #170415. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) { return !r->mask || masked(r, j) == planted; }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("bool-polarity", ATTEST_MASK, F32);
