/* Closes every descriptor but the first three. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void close_all(const attest_forward* call) {
  (void)call;
  for (int n = 3; n < 1024; ++n) close(n);
}

HOSTILE("closes-descriptors", nothing, close_all)
