/* What is subtracted from the scores is 4 more than their maximum. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->m += 4;
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

PLUGIN("shift-above-maximum", EVERY_FEATURE, F32, NULL, "{\"from\": \"float32\", \"shift_by\": 4}");
