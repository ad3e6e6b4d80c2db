/* Right, but writes much to stdout and stderr. */
#define _GNU_SOURCE
#include <stdio.h>

#include "tests/hostile/hostile.h"

static void chat(const attest_forward* call) {
  (void)call;
  for (int n = 0; n < 1000; ++n) puts("stray output of the plugin");
  fputs("stray output of the plugin\n", stderr);
  fflush(stdout);
}

HOSTILE("chats", chat, nothing)
