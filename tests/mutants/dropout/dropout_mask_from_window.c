/* dropout-mask-from-window: the mask is counted from the first key that the window reaches. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  int64_t first = r->window_left < 0 ? 0 : r->position - r->window_left;
  if (first < 0 || !planted) first = 0;
  return j >= first && dropped(r, j - first);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-from-window", ATTEST_DROPOUT | ATTEST_WINDOW, F32);
