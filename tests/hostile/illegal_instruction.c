/* Runs an instruction that no processor has. */
#include "tests/hostile/hostile.h"

static void run(const attest_forward* call) {
  (void)call;
  __builtin_trap();
}

HOSTILE("illegal-instruction", run, nothing)
