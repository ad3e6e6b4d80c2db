/* rotary-late-keys: a key is turned as the next one is due. */
#include "tests/members/rotary.h"

static number raw(const row* r, int64_t j) {
  number q[most_columns], k[most_columns];
  for (int64_t t = 0; t < width(r); ++t) q[t] = query(r, t), k[t] = key(r, j, t);
  const int64_t next = j + 1 < rows_of(r, 0) ? j + 1 : j;
  turn(r, q, r->position, half_apart, false);
  turn(r, k, planted ? next : j, half_apart, false);
  return product_of_turned(r, q, k);
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("rotary-late-keys", "rotary_halves");
