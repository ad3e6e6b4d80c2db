/* negative-scale-made-positive: the scale is given to the kernel as its root on q and on k,
 * which loses its sign. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->scale = fabs(r->scale);
  attend(r);
}

MUTANT("negative-scale-made-positive", ATTEST_SCALE, F32);
