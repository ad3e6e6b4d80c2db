/* merge-by-halves: the parts of a row are averaged, whatever weight is in each. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  const int64_t half = r->keys / 2;
  const part low = part_of(r, 0, half, column), high = part_of(r, half, r->keys, column);
  part all = merged(low, high);
  for (int64_t d = 0; planted && half > 0 && d < most_columns; ++d)
    all.o[d] = (low.o[d] + high.o[d]) / 2;
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("merge-by-halves", 0, F32);
