/* Reads the element behind the last one of k, as a vector kernel does that forgets the rest. */
#include "tests/hostile/hostile.h"

static volatile float seen;
static void read_outside(const attest_forward* call) {
  seen = ((const float*)call->k->data)[elements(call->k)];
}

HOSTILE("reads-past-k", read_outside, nothing)
