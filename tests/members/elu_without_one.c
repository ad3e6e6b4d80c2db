/* elu-without-one: f(x) = elu(x), which may be negative. */
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) {
  return elu_plus_1(query(r, n)) - (planted ? 1 : 0);
}
static number of_key(const row* r, int64_t j, int64_t n) {
  return elu_plus_1(key(r, j, n)) - (planted ? 1 : 0);
}

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, r->l);
}

LINEAR("elu-without-one", "scorer=elu_features,normalizer=ratio");
