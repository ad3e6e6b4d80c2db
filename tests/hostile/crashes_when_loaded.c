/* Reads through a null pointer when it is loaded. */
#include "tests/hostile/hostile.h"

static int* volatile nowhere = NULL;
static __attribute__((constructor)) void read_nothing(void) { *nowhere += 1; }

HOSTILE("crashes-when-loaded", nothing, nothing)
