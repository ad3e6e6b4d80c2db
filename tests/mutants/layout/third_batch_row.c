/* third-batch-row: from the third batch row on v is read from the first one. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row other = *r;
  if (planted && r->b >= 2) other.b = 0;
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] += r->p[j] * value(&other, j, d);
  write_answer(r);
}

MUTANT("third-batch-row", 0, F32);
