/* state-in-f16: the state is rounded to f16 after every key, which the contract does not say. */
#define HELD_STATE(x) (planted ? (number)rounded(f16, x) : (x))
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) { return query(r, n); }
static number of_key(const row* r, int64_t j, int64_t n) { return key(r, j, n); }

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, 1);
}

PLUGIN("state-in-f16", LINEAR_FEATURES, F32, "attest,scorer=dot,normalizer=identity", NULL);
