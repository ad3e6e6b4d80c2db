/* features-summed-over-heads: the sum of the weights runs over the heads up to its own, at the
 * query's own position, where it is to run over positions. */
#include "tests/members/features.h"

static number of_query(const row* r, int64_t n) { return elu_plus_1(query(r, n)); }
static number of_key(const row* r, int64_t j, int64_t n) { return elu_plus_1(key(r, j, n)); }

static number total_over_heads(const row* r) {
  const int64_t own = r->position < 0 ? 0 : smaller(r->position, r->keys - 1);
  number total = 0;
  for (int64_t g = 0; g <= r->g; ++g)
    for (int64_t n = 0; n < width(r); ++n)
      total += r->scale * of_query(r, n) * elu_plus_1(read(r->k, r->b, g, own, n));
  return total;
}

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, width(r), of_query, of_key, state);
  write_sums(r, planted && r->l != 0 ? total_over_heads(r) : r->l);
}

LINEAR("features-summed-over-heads", "scorer=elu_features,normalizer=ratio");
