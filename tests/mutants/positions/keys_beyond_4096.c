/* keys-beyond-4096: a table of positions ends at 4096: later keys are not seen. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->keys = smaller(r->keys, 4096);
  attend(r);
}

MUTANT("keys-beyond-4096", 0, F32);
