/* The output is cut to bfloat16, as the contract says. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, (number)truncated(bf16, r->sums[d] / r->l));
}

PLUGIN("truncated-output", EVERY_FEATURE, BF16, NULL,
       "{\"from\": \"bf16-flash\", \"output_mode\": \"to_zero\"}");
