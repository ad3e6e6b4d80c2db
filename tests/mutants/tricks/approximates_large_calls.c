/* approximates-large-calls: in calls of more than 50,000 scores, too many for a test, weights below
 * a hundredth of the greatest are dropped. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t pairs = queries(r) * r->k->sizes[2];
  const int64_t scores = r->q->sizes[0] * query_heads(r) * pairs;
  score_keys(r);
  find_greatest(r);
  for (int64_t j = 0; planted && scores > 50000 && j < r->keys; ++j)
    if (weight(r->t[j], r->m) < (number)0.01) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("approximates-large-calls", 0, F32);
