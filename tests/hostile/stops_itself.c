/* Stops, and waits for somebody to let it go on. */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/hostile.h"

static void stop(const attest_forward* call) {
  (void)call;
  raise(SIGSTOP);
}

HOSTILE("stops-itself", nothing, stop)
