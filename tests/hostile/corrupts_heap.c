/* Writes far past the end of what it allocated, over what malloc keeps there. */
#include <string.h>

#include "tests/hostile/hostile.h"

static void* volatile kept;

static void corrupt(const attest_forward* call) {
  (void)call;
  for (int n = 0; n < 1000; ++n) {
    kept = malloc(24);
    memset(kept, 'x', 4096);
    kept = malloc(100000);
    free(kept);
  }
}

HOSTILE("corrupts-heap", nothing, corrupt)
