/* sink-floor: a sink is at least -5, as one that was learnt may have been limited to. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->sink > -INFINITY) r->sink = fmax(r->sink, -5);
  attend(r);
}

MUTANT("sink-floor", ATTEST_SINK | ATTEST_LSE, F32);
