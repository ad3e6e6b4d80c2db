/* inference-without-sink: the path for calls that do not ask for lse leaves the sink out. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && !r->lse) r->sink = -INFINITY;
  attend(r);
}

MUTANT("inference-without-sink", ATTEST_LSE | ATTEST_SINK, F32);
