/* Leaves as if all were done. */
#include "tests/hostile/hostile.h"

static void leave(const attest_forward* call) {
  (void)call;
  exit(0);
}

HOSTILE("exits", nothing, leave)
