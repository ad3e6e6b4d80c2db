/* mlp-without-bias: the hidden units lack their bias. */
#include "tests/members/member.h"

static number raw(const row* r, int64_t j) {
  number sum = parameter(r, 3, 0, 0);
  for (int64_t a = 0; a < rows_of(r, 0); ++a) {
    number x = planted ? 0 : parameter(r, 1, 0, a);
    for (int64_t t = 0; t < width(r); ++t)
      x += parameter(r, 0, a, t) * query(r, t) + parameter(r, 0, a, width(r) + t) * key(r, j, t);
    sum += parameter(r, 2, 0, a) * positive(x);
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("mlp-without-bias", "mlp");
