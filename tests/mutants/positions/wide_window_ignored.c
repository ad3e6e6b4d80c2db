/* wide-window-ignored: a window of 64 keys or more to the left is taken for an open one. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->window_left >= 64) r->window_left = -1;
  attend(r);
}

MUTANT("wide-window-ignored", ATTEST_WINDOW | CAUSAL, F32);
