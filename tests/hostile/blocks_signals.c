/* Blocks a signal and leaves it blocked. */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/hostile.h"

static void block(const attest_forward* call) {
  (void)call;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

HOSTILE("blocks-signals", nothing, block)
