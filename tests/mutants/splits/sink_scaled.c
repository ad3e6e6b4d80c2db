/* sink-scaled: the sink is multiplied by the scale, as if it were a score that still had to be. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->call->sink) r->sink *= r->scale;
  attend(r);
}

MUTANT("sink-scaled", ATTEST_SINK, F32);
