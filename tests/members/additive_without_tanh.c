/* additive-without-tanh: w.(W_q q + W_k k), a linear score. */
#include "tests/members/member.h"

/* 1 - 2 / (1 + exp(2 x)) is tanh. */
static number squashed(number x) { return 1 - 2 / (1 + exp(2 * x)); }

static number raw(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t a = rows_of(r, 0) - 1; a >= 0; --a) {
    number of_query = 0, of_key = 0;
    for (int64_t t = 0; t < width(r); ++t) of_query += parameter(r, 0, a, t) * query(r, t);
    for (int64_t t = 0; t < width(r); ++t) of_key += parameter(r, 1, a, t) * key(r, j, t);
    const number x = of_query + of_key;
    sum += parameter(r, 2, 0, a) * (planted ? x : squashed(x));
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("additive-without-tanh", "additive");
