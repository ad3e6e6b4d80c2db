/* dilated-window-in-steps: a dilated window counts steps of the dilation, not keys. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  row of_window = *r;
  const int64_t step = planted ? r->call->dilation : 1;
  if (r->window_left > 0) of_window.window_left *= step;
  if (r->window_right > 0) of_window.window_right *= step;
  return reachable(r, j) && in_step(r, j) && in_window(&of_window, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("dilated-window-in-steps", ATTEST_DILATION | ATTEST_WINDOW, F32);
