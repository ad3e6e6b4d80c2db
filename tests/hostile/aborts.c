/* Gives up, and says why on stderr. */
#define _GNU_SOURCE
#include <stdio.h>

#include "tests/hostile/hostile.h"

static void give_up(const attest_forward* call) {
  (void)call;
  fputs("the tiles do not add up\n", stderr);
  abort();
}

HOSTILE("aborts", nothing, give_up)
