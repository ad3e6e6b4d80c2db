/* Leaves an alarm that is to go off in the middle of something else. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void set(const attest_forward* call) {
  (void)call;
  alarm(1000);
}

HOSTILE("leaves-timer", nothing, set)
