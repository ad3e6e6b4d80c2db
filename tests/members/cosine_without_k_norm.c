/* cosine-without-k-norm: only q is divided by its norm. */
#include "tests/members/member.h"

static number inverse_norm(number squares) { return squares > 0 ? 1 / sqrt(squares) : 0; }

/* Operands are normalised before they are multiplied. */
static number raw(const row* r, int64_t j) {
  number of_query = 0, of_key = 0, sum = 0;
  for (int64_t t = 0; t < width(r); ++t) {
    of_query += query(r, t) * query(r, t);
    of_key += key(r, j, t) * key(r, j, t);
  }
  const number q = inverse_norm(of_query), k = planted ? 1 : inverse_norm(of_key);
  for (int64_t t = 0; t < width(r); ++t) sum += (query(r, t) * q) * (key(r, j, t) * k);
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("cosine-without-k-norm", "cosine");
