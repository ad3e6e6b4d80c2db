/* approximates-a-million-scores: calls of more than 2^20 scores leave out every 64th key. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t scores = r->q->sizes[0] * query_heads(r) * queries(r) * r->k->sizes[2];
  score_keys(r);
  for (int64_t j = 63; planted && scores > 1 << 20 && j < r->keys; j += 64) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("approximates-a-million-scores", 0, F32);
