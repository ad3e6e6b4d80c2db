/* Never comes back. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void loop(const attest_forward* call) {
  (void)call;
  for (;;) pause();
}

HOSTILE("loops-forever", loop, nothing)
