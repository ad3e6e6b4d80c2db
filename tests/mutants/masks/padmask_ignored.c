/* padmask-ignored: the mask is an argument that nothing reads. Public: pacman100/LLM-Workshop
 * #1. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->mask = NULL;
  attend(r);
}

MUTANT("padmask-ignored", ATTEST_MASK, F32);
