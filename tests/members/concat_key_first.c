/* concat-key-first: [k; q] where [q; k] belongs. */
#include "tests/members/member.h"

static number raw(const row* r, int64_t j) {
  const int64_t n = width(r);
  number sum = 0;
  for (int64_t a = 0; a < rows_of(r, 0); ++a) {
    number x = 0;
    for (int64_t t = n - 1; t >= 0; --t)
      x += parameter(r, 0, a, planted ? n + t : t) * query(r, t) +
           parameter(r, 0, a, planted ? t : n + t) * key(r, j, t);
    sum += parameter(r, 1, 0, a) * tanh(x);
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("concat-key-first", "concat");
