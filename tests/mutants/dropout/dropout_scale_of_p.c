/* dropout-scale: kept weights are multiplied by 1 / p, which is the same at p = 1 / 2. Public:
 * NVIDIA/apex #816. */
#include "tests/mutants/dropout.h"

static number scale_of(const row* r) {
  const number s = dropout_scale(r);
  return planted && s > 1 ? s / (s - 1) : s;
}

static void answer(row* r) { attend_and_drop(r, dropped, scale_of(r)); }

MUTANT("dropout-scale-of-p", ATTEST_DROPOUT, F32);
