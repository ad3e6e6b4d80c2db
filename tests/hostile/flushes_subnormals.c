/* Leaves flush-to-zero and denormals-are-zero on. */
#define _GNU_SOURCE
#include <xmmintrin.h>

#include "tests/hostile/hostile.h"

static void flush(const attest_forward* call) {
  (void)call;
  _mm_setcsr(_mm_getcsr() | 0x8040);
}

HOSTILE("flushes-subnormals", nothing, flush)
