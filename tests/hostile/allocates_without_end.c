/* Takes memory until there is none, and then gives up. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "tests/hostile/hostile.h"

static void take_all(const attest_forward* call) {
  (void)call;
  const size_t block = (size_t)1 << 24;
  for (char* p = malloc(block); p != NULL; p = malloc(block)) memset(p, 1, block);
  fputs("out of memory\n", stderr);
  abort();
}

HOSTILE("allocates-without-end", take_all, nothing)
