/* The quotient of the soft cap is folded into the scale: cap tanh(q k (c / cap)). Public:
 * Dao-AILab/flash-attention #1181 reported it as a bug. */
#include "tests/mutants/plain.h"

static number folded_score(const row* r, int64_t j) {
  const number inner = r->scale / r->soft_cap;
  return biased(r, j, r->soft_cap * tanh(inner * dot(r, j)));
}

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; r->soft_cap > 0 && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] = folded_score(r, j);
  attend_to_scores(r);
}

PLUGIN("soft-cap-folded", EVERY_FEATURE, F32, NULL, NULL);
