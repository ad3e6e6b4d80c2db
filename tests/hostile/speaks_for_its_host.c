/* Writes to every descriptor that it finds open. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void speak(const attest_forward* call) {
  (void)call;
  for (int n = 3; n < 64; ++n)
    if (write(n, "hello", 5) < 0) continue;
}

HOSTILE("speaks-for-its-host", nothing, speak)
