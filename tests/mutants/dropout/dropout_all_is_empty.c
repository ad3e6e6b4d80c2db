/* dropout-all-is-empty: a row whose keys are all dropped is taken for one without keys. */
#include "tests/mutants/dropout.h"

static bool all_dropped(const row* r) {
  bool all = true;
  for (int64_t j = 0; j < r->keys; ++j) all = all && (removed(r, j) || dropped(r, j));
  return all;
}

static void answer(row* r) {
  attend_and_drop(r, dropped, dropout_scale(r));
  if (planted && all_dropped(r)) set_lse(r, -INFINITY);
}

MUTANT("dropout-all-is-empty", ATTEST_DROPOUT | ATTEST_LSE, F32);
