/* length-of-first-batch-row: the offset of a causal mask comes from the length of the first
 * batch row. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT)
    r->position += valid_keys(r->call, 0) - r->keys;
  attend(r);
}

MUTANT("length-of-first-batch-row", ATTEST_LENGTHS | CAUSAL, F32);
