/* double-through-float: float64 scores pass through a float32 buffer. */
#define NUMBER double
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->t[j] = (float)r->t[j];
  attend_to_scores(r);
}

MUTANT("double-through-float", CAUSAL, F64);
