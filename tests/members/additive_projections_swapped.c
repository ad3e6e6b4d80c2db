/* additive-projections-swapped: W_k on q and W_q on k. */
#include "tests/members/member.h"

static number raw(const row* r, int64_t j) {
  const int of_q = planted ? 1 : 0;
  number sum = 0;
  for (int64_t a = 0; a < rows_of(r, 0); ++a) {
    number x = 0;
    for (int64_t t = 0; t < width(r); ++t)
      x += parameter(r, of_q, a, t) * query(r, t) + parameter(r, 1 - of_q, a, t) * key(r, j, t);
    sum += parameter(r, 2, 0, a) * tanh(x);
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("additive-projections-swapped", "additive");
