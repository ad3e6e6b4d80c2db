/* state-before-its-key: the state is read before the query's own key is added, and after it for all
 * others. */
#include "tests/members/features.h"

static bool is_own(const row* r, int64_t j) { return r->causal && j == r->position; }

static number of_query(const row* r, int64_t n) { return query(r, n); }
static number of_key(const row* r, int64_t j, int64_t n) {
  return planted && is_own(r, j) ? 0 : key(r, j, n);
}

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, 1);
}

LINEAR("state-before-its-key", "scorer=dot,normalizer=identity");
