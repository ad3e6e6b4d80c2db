/* length-in-8-bits: the length of a batch row is kept in 8 bits. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->call->lengths && r->keys > 255) r->keys &= 255;
  attend(r);
}

MUTANT("length-in-8-bits", ATTEST_LENGTHS, F32);
