/* Kills the process that watches over it. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void kill_parent(const attest_forward* call) {
  (void)call;
  kill(getppid(), SIGKILL);
  for (;;) pause();
}

HOSTILE("kills-its-keeper", nothing, kill_parent)
