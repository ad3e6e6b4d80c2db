/* dot-tail-dropped: the dot product takes four coordinates at a time, and what is left over is
 * dropped when it is a single one. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t last = width(r) - 1;
  const bool single = width(r) > 1 && width(r) % 4 == 1;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number all = dot(r, j);
    r->t[j] = r->scale * (planted && single ? all - query(r, last) * key(r, j, last) : all);
  }
  attend_to_scores(r);
}

MUTANT("dot-tail-dropped", 0, F32);
