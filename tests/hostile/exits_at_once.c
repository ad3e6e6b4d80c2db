/* Leaves without a word to anyone. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void leave(const attest_forward* call) {
  (void)call;
  _exit(0);
}

HOSTILE("exits-at-once", nothing, leave)
