/* Never comes back from being loaded. */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/hostile.h"

static __attribute__((constructor)) void hang(void) {
  for (;;) pause();
}

HOSTILE("hangs-when-loaded", nothing, nothing)
