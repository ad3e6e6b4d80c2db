/* Writes the element behind the last one of o. */
#include "tests/hostile/hostile.h"

static void write_outside(const attest_forward* call) {
  ((float*)call->o->data)[elements(call->o)] = 1;
}

HOSTILE("writes-past-o", nothing, write_outside)
