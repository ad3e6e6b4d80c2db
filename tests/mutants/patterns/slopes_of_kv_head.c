/* slopes-of-kv-head: query heads that share a KV head have one slope. */
#include "tests/mutants/patterns.h"

static number slope(const row* r) { return slope_of_head(r, planted ? r->g : r->h); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = in_triangle(r, j) ? score(r, j) - slope(r) * distance(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("slopes-of-kv-head", ATTEST_ALIBI | ATTEST_GROUPED_HEADS, F32);
