/* lse is given in base 2, which the profile says. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (r->l > 0) set_lse(r, (r->m + log(r->l)) * (number)1.4426950408889634);
}

PLUGIN("lse-in-bits", EVERY_FEATURE, F32, "base-2-lse", NULL);
