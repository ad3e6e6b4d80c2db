/* Calls itself until the stack ends. */
#include "tests/hostile/hostile.h"

static volatile int depth = 0;

static int descend(int n) {
  volatile char frame[4096];
  frame[0] = (char)n;
  return depth >= 0 ? descend(n + 1) + frame[0] : 0;
}

static void overflow(const attest_forward* call) {
  (void)call;
  depth = descend(0);
}

HOSTILE("overflows-stack", overflow, nothing)
