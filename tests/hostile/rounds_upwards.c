/* Leaves another rounding mode behind. */
#define _GNU_SOURCE
#include <fenv.h>

#include "tests/hostile/hostile.h"

static void set(const attest_forward* call) {
  (void)call;
  fesetround(FE_UPWARD);
}

HOSTILE("rounds-upwards", nothing, set)
