/* The output is rounded to the nearest bfloat16, ties away from 0 instead of to the even one: as
 * near as any, and no contract says where ties go. */
#include "tests/mutants/plain.h"

static number rounded_up_at_ties(number x) {
  const number even = (number)rounded(bf16, x), cut = (number)truncated(bf16, x);
  const bool tie = x != 0 && fabs(x - cut) == (number)(spacing(bf16, x) / 2);
  return tie ? cut + copysign((number)spacing(bf16, x), x) : even;
}

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, rounded_up_at_ties(r->sums[d] / r->l));
}

PLUGIN("ties-away", EVERY_FEATURE, BF16, NULL, "bf16-flash");
