/* Sets a locale for the whole process. */
#define _GNU_SOURCE
#include <locale.h>

#include "tests/hostile/hostile.h"

static void set(const attest_forward* call) {
  (void)call;
  if (setlocale(LC_NUMERIC, "C.UTF-8") == NULL) abort();
}

HOSTILE("changes-locale", nothing, set)
