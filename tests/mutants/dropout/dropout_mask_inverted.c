/* dropout-mask-inverted: true drops. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  return dropout_mask(r) && dropped(r, j) != (bool)planted;
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-inverted", ATTEST_DROPOUT, F32);
