/* mask-sliced-by-window: the mask is cropped to its last columns, as many as the window is wide,
 * and read from there on for all keys. Public: huggingface/transformers #32522. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  const int64_t all = r->k->sizes[2], wide = smaller(r->window_left + 1, all);
  const bool cropped = planted && r->window_left >= 0;
  const int64_t column = cropped ? all - wide + j % wide : j;
  return in_triangle(r, j) && in_window(r, j) && !masked(r, column);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("mask-sliced-by-window", ATTEST_WINDOW | ATTEST_MASK | CAUSAL, F32);
