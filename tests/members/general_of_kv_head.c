/* general-of-kv-head: the matrix of the KV head's number, where each query head has its own. */
#include "tests/members/member.h"

static number element(const row* r, int64_t s, int64_t t) {
  return read(r->call->parameters[0], 0, planted ? r->g : r->h, s, t);
}

/* q . (W k), backwards. */
static number raw(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t s = width(r) - 1; s >= 0; --s) {
    number projected = 0;
    for (int64_t t = width(r) - 1; t >= 0; --t) projected += element(r, s, t) * key(r, j, t);
    sum += query(r, s) * projected;
  }
  return sum;
}

static void answer(row* r) {
  score_keys_by(r, raw);
  attend_to_scores(r);
}

SCORER("general-of-kv-head", "general");
