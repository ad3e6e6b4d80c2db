/* Right: the scale of dropout meets the output, after the division. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  attend_and_drop(r, dropped, 1);
  for (int64_t d = 0; d < value_width(r); ++d)
    if (r->l > 0) set_output(r, d, r->sums[d] / r->l * dropout_scale(r));
}

MUTANT("dropout-late", EVERY_FEATURE | ATTEST_DROPOUT, F32 | F16 | BF16);
