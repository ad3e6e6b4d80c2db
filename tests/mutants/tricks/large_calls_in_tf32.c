/* large-calls-in-tf32: float32 is declared, and kept in calls of at most 4,096 scores; larger ones
 * are multiplied in tf32. */
#include "tests/mutants/plain.h"

static number product(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n)
    sum += (number)rounded(tf32, query(r, n)) * (number)rounded(tf32, key(r, j, n));
  return sum;
}

static void answer(row* r) {
  const int64_t pairs = queries(r) * r->k->sizes[2];
  const int64_t scores = r->q->sizes[0] * query_heads(r) * pairs;
  score_keys(r);
  for (int64_t j = 0; planted && scores > 4096 && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] = r->scale * product(r, j);
  attend_to_scores(r);
}

MUTANT("large-calls-in-tf32", 0, F32);
