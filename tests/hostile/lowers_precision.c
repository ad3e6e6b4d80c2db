/* Leaves the x87 unit at the precision of double, as some libraries of games do. */
#include "tests/hostile/hostile.h"

static void set(const attest_forward* call) {
  (void)call;
#if defined(__x86_64__)
  const unsigned short precision_of_double = 0x027f;
  __asm__ volatile("fldcw %0" : : "m"(precision_of_double));
#endif
}

HOSTILE("lowers-precision", nothing, set)
