/* causal-strict: the diagonal itself is masked too, except where a query would see nothing. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  const bool diagonal = r->causal && j == r->position && r->position > 0;
  return kept(r, j) && !(planted && diagonal);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("causal-strict", CAUSAL, F32);
