/* dropout-scale-in-bfloat16: the scale is held in 8 bits, which have 2 and 10, and not 1 / 0.9. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  const number s = dropout_scale(r);
  attend_and_drop(r, dropped, planted ? (number)rounded(bf16, s) : s);
}

MUTANT("dropout-scale-in-bfloat16", ATTEST_DROPOUT, F32);
