/* relu-of-query-alone: keys keep what is below 0. */
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) { return positive(query(r, n)); }
static number of_key(const row* r, int64_t j, int64_t n) {
  return planted ? key(r, j, n) : positive(key(r, j, n));
}

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, 1);
}

LINEAR("relu-of-query-alone", "scorer=relu_features,normalizer=identity");
