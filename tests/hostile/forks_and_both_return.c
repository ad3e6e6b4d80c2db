/* Comes back twice from one call, in two processes. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void fork_once(const attest_forward* call) {
  (void)call;
  if (fork() < 0) abort();
}

HOSTILE("forks-and-both-return", nothing, fork_once)
