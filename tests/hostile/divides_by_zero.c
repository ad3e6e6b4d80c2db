/* Divides an integer by zero. */
#include "tests/hostile/hostile.h"

static volatile int zero = 0;
static void divide(const attest_forward* call) {
  (void)call;
  zero = 7 / zero;
}

HOSTILE("divides-by-zero", divide, nothing)
