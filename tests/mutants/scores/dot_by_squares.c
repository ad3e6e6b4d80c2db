/* dot-by-squares: q k is computed as (|q + k|^2 - |q - k|^2) / 4, which cancels where one of the
 * two is much larger. */
#include "tests/mutants/plain.h"

static number dot_by_squares(const row* r, int64_t j) {
  number of_sum = 0, of_difference = 0;
  for (int64_t n = 0; n < width(r); ++n) {
    const number plus = query(r, n) + key(r, j, n), minus = query(r, n) - key(r, j, n);
    of_sum += plus * plus;
    of_difference += minus * minus;
  }
  return (of_sum - of_difference) / 4;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = r->scale * (planted ? dot_by_squares(r, j) : dot(r, j));
  attend_to_scores(r);
}

MUTANT("dot-by-squares", 0, F32);
