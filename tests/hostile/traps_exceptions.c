/* Leaves floating-point exceptions unmasked. */
#define _GNU_SOURCE
#include <fenv.h>

#include "tests/hostile/hostile.h"

static void unmask(const attest_forward* call) {
  (void)call;
  feenableexcept(FE_DIVBYZERO);
}

HOSTILE("traps-exceptions", nothing, unmask)
