/* window-zero-is-none: a side of the window that is 0 keys wide is taken to be open. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->window_left == 0) r->window_left = -1;
  if (planted && r->window_right == 0) r->window_right = -1;
  attend(r);
}

MUTANT("window-zero-is-none", ATTEST_WINDOW | ATTEST_CAUSAL_BOTTOM_RIGHT, F32);
