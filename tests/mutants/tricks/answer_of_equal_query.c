/* answer-of-equal-query: the answer of the query before is repeated when both have the same
 * first coordinate. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row other = *r;
  if (r->i > 0) --other.i;
  if (planted && query(r, 0) == query(&other, 0))
    score_keys(&other);
  else
    score_keys(r);
  attend_to_scores(r);
}

MUTANT("answer-of-equal-query", 0, F32);
