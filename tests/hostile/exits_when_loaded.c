/* Ends the process that loads it. */
#include "tests/hostile/hostile.h"

static __attribute__((constructor)) void leave(void) { exit(0); }

HOSTILE("exits-when-loaded", nothing, nothing)
