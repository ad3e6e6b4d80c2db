/* mask-and-causal: a mask overrides the causal flag, when both are to hold. Public:
 * pytorch/pytorch #187966, #122753. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->mask) r->causal = false;
  attend(r);
}

MUTANT("mask-and-causal", ATTEST_MASK | CAUSAL, F32);
