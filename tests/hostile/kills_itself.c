/* Ends by the signal that nobody can catch. */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/hostile.h"

static void end(const attest_forward* call) {
  (void)call;
  raise(SIGKILL);
}

HOSTILE("kills-itself", nothing, end)
