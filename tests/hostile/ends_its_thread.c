/* Ends the thread that it was called on. */
#define _GNU_SOURCE
#include <pthread.h>

#include "tests/hostile/hostile.h"

static void end(const attest_forward* call) {
  (void)call;
  pthread_exit(NULL);
}

HOSTILE("ends-its-thread", nothing, end)
