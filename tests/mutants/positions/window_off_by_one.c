/* window-off-by-one: the window keeps one key too many on its left. Public:
 * huggingface/transformers #39408, ml-explore/mlx-lm #390. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->window_left >= 0) ++r->window_left;
  attend(r);
}

MUTANT("window-off-by-one", ATTEST_WINDOW | CAUSAL, F32);
