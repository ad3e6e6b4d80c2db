/* f16-truncate: the output is cut to float16, not rounded. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, (number)truncated(f16, r->sums[d] / r->l));
}

MUTANT("f16-truncate", CAUSAL, F16);
