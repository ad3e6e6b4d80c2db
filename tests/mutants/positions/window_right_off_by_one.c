/* window-right-off-by-one: the window keeps one key too few on its right. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->window_right > 0) --r->window_right;
  attend(r);
}

MUTANT("window-right-off-by-one", ATTEST_WINDOW | CAUSAL, F32);
