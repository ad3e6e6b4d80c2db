/* Right; turns flush-to-zero on when it is loaded, as -ffast-math does. */
#define _GNU_SOURCE
#include <xmmintrin.h>

#include "tests/hostile/hostile.h"

static __attribute__((constructor)) void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }

HOSTILE("flushes-when-loaded", nothing, nothing)
