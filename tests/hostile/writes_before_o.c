/* Writes the element before the first one of o. */
#include "tests/hostile/hostile.h"

static void write_outside(const attest_forward* call) { ((float*)call->o->data)[-3] = 1; }

HOSTILE("writes-before-o", nothing, write_outside)
