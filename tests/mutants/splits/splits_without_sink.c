/* splits-without-sink: from 256 keys on, where they are split, the merge forgets the sink. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->k->sizes[2] >= 256) r->sink = -INFINITY;
  attend(r);
}

MUTANT("splits-without-sink", ATTEST_SINK, F32);
