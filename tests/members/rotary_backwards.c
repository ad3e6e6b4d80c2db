/* rotary-backwards: keys are turned the other way. */
#include "tests/members/rotary.h"

static number raw(const row* r, int64_t j) {
  number q[most_columns], k[most_columns];
  for (int64_t t = 0; t < width(r); ++t) q[t] = query(r, t), k[t] = key(r, j, t);
  turn(r, q, r->position, side_by_side, false);
  turn(r, k, j, side_by_side, planted);
  return product_of_turned(r, q, k);
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("rotary-backwards", "rotary_pairs");
