/* score-clamped: scores are held to [-64, 64] for safety. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->t[j] = fmin(fmax(r->t[j], -64), 64);
  attend_to_scores(r);
}

MUTANT("score-clamped", 0, F32);
