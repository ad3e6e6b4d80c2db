/* general-transposed: q meets the transpose of W. */
#include "tests/members/member.h"

static number element(const row* r, int64_t s, int64_t t) {
  return planted ? parameter(r, 0, t, s) : parameter(r, 0, s, t);
}

/* (q W) . k */
static number raw(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t t = 0; t < width(r); ++t) {
    number projected = 0;
    for (int64_t s = 0; s < width(r); ++s) projected += query(r, s) * element(r, s, t);
    sum += projected * key(r, j, t);
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("general-transposed", "general");
