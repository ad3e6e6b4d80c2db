/* window-not-forwarded: the path for a single query calls the kernel without the window. Public:
 * EricLBuehler/mistral.rs #2094. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && queries(r) == 1) r->window_left = r->window_right = -1;
  attend(r);
}

MUTANT("window-not-forwarded", ATTEST_WINDOW | CAUSAL, F32);
