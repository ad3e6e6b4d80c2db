/* Goes to another working directory. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static void go(const attest_forward* call) {
  (void)call;
  if (chdir("/") != 0) abort();
}

HOSTILE("changes-folder", nothing, go)
