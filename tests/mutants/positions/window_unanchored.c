/* window-unanchored: the window lies around the index of the query, not around its position
 * among the keys. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  row of_window = *r;
  if (planted) of_window.position = r->i;
  return in_triangle(r, j) && in_window(&of_window, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("window-unanchored", ATTEST_WINDOW | CAUSAL, F32);
