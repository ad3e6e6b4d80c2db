/* Nothing is subtracted from the scores: a contract of small ones. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  if (r->m > -INFINITY) r->m = 0;
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

PLUGIN("no-shift", EVERY_FEATURE, F32, NULL, "{\"from\": \"float32\", \"shift\": \"constant\"}");
