/* position-in-8-bits: the position of a query beside a window is kept in 8 bits. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const bool in_a_window = r->window_left >= 0 || r->window_right >= 0;
  if (planted && in_a_window && r->position >= 0) r->position &= 255;
  attend(r);
}

MUTANT("position-in-8-bits", ATTEST_WINDOW | CAUSAL, F32);
