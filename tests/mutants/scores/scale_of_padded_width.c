/* scale-of-padded-width: the scale is made from the width rounded up to a multiple of 8. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->scale = 1 / sqrt((number)((width(r) + 7) / 8 * 8));
  attend(r);
}

MUTANT("scale-of-padded-width", 0, F32);
