/* scale-ignored: the scale is 1 / sqrt(D) whatever was asked for. Public:
 * bo-ke/llm-internal-medicine #47. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->scale = 1 / sqrt((number)width(r));
  attend(r);
}

MUTANT("scale-ignored", ATTEST_SCALE, F32);
