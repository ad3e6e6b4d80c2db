/* merge-one-sided: the merge rescales the older part, and takes the newer one as it is: right
 * only while the maximum rises. */
#include "tests/mutants/split.h"

static part merged_one_sided(part a, part b) {
  part s = merged(a, b);
  const number of_a = a.l * weight(a.m, s.m);
  if (!planted || a.l == 0 || b.l == 0) return s;
  s.l = of_a + b.l;
  for (int64_t d = 0; d < most_columns; ++d) s.o[d] = (of_a * a.o[d] + b.l * b.o[d]) / s.l;
  return s;
}

static part combined(row* r, int64_t column) {
  part all = sink_part(r);
  for (int64_t s = 0; s < splits; ++s) all = merged_one_sided(all, split_of(r, s, column));
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("merge-one-sided", 0, F32);
