/* features-no-reciprocal: multiplied by the sum of the weights where it is to be divided by. */
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) { return elu_plus_1(query(r, n)); }
static number of_key(const row* r, int64_t j, int64_t n) { return elu_plus_1(key(r, j, n)); }

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, planted && r->l != 0 ? 1 / r->l : r->l);
}

LINEAR("features-no-reciprocal", "scorer=elu_features,normalizer=ratio");
