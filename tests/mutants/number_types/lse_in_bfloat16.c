/* lse-in-bfloat16: lse is rounded to bfloat16 before it is written as float32. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && r->l > 0) set_lse(r, (number)rounded(bf16, r->m + log(r->l)));
}

MUTANT("lse-in-bfloat16", ATTEST_LSE, BF16);
