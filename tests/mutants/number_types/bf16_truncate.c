/* bf16-truncate: the output is cut to bfloat16, not rounded: each number within its last place,
 * all of them towards 0. Public: ROCm/aiter #5151, ROCm/flash-attention #78. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, (number)truncated(bf16, r->sums[d] / r->l));
}

MUTANT("bf16-truncate", CAUSAL, BF16);
