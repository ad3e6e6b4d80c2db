/* features-unnormalised: the sum of the weights is not divided by. */
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) { return elu_plus_1(query(r, n)); }
static number of_key(const row* r, int64_t j, int64_t n) { return elu_plus_1(key(r, j, n)); }

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, planted ? 1 : r->l);
}

LINEAR("features-unnormalised", "scorer=elu_features,normalizer=ratio");
