/* Writes through a null pointer. */
#include "tests/hostile/hostile.h"

static int* volatile nowhere = NULL;
static void write_nothing(const attest_forward* call) {
  (void)call;
  *nowhere = 1;
}

HOSTILE("segfaults", nothing, write_nothing)
