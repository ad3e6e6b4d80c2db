/* causal-of-capacity: the offset of a causal mask is taken from the capacity of the cache, not
 * from the length of the batch row. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT)
    r->position += r->k->sizes[2] - r->keys;
  attend(r);
}

MUTANT("causal-of-capacity", ATTEST_LENGTHS | CAUSAL, F32);
