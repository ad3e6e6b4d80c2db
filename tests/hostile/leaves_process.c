/* Starts a process that outlives the call. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void start(const attest_forward* call) {
  (void)call;
  if (fork() == 0)
    for (;;) pause();
}

HOSTILE("leaves-process", nothing, start)
