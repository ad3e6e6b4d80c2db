/* cosine-with-epsilon: 1e-3 is added to the product of the norms. */
#include "tests/members/member.h"

static number raw(const row* r, int64_t j) {
  number q = 0, k = 0, sum = 0;
  for (int64_t t = 0; t < width(r); ++t) {
    q += query(r, t) * query(r, t);
    k += key(r, j, t) * key(r, j, t);
    sum += query(r, t) * key(r, j, t);
  }
  const number norms = sqrt(q) * sqrt(k) + (planted ? (number)1e-3 : 0);
  return norms > 0 ? sum / norms : 0;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("cosine-with-epsilon", "cosine");
