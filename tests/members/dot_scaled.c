/* dot-scaled: the product is divided by sqrt(D), which the dot product of Luong is not. */
#include "tests/members/member.h"

static number raw(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = width(r) - 1; n >= 0; --n) sum += query(r, n) * key(r, j, n);
  return planted ? sum / sqrt((number)width(r)) : sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("dot-scaled", "dot");
