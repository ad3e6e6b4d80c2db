/* odd-query-unpaired: queries are answered in pairs, and the last of an odd number takes the
 * scores of the one before it. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row other = *r;
  const bool unpaired = queries(r) % 2 == 1 && r->i == queries(r) - 1 && r->i > 0;
  if (planted && unpaired) --other.i;
  score_keys(&other);
  attend_to_scores(r);
}

MUTANT("odd-query-unpaired", 0, F32);
