/* bf16-by-way-of-f16: a bfloat16 output passes through float16, which overflows and underflows
 * much sooner. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, (number)rounded(f16, r->sums[d] / r->l));
}

MUTANT("bf16-by-way-of-f16", CAUSAL, BF16);
