/* exp-features-without-norm: f(x) = exp(w.x), which is not what estimates exp(q.k). */
#include "tests/members/features.h"

static number argument(number product, number squares) {
  return product - (planted ? 0 : squares / 2);
}

static number of_query(const row* r, int64_t n) {
  number product = 0, squares = 0;
  for (int64_t t = 0; t < width(r); ++t) {
    product += parameter(r, 0, n, t) * query(r, t);
    squares += query(r, t) * query(r, t);
  }
  return exp(argument(product, squares));
}

static number of_key(const row* r, int64_t j, int64_t n) {
  number product = 0, squares = 0;
  for (int64_t t = 0; t < width(r); ++t) {
    product += parameter(r, 0, n, t) * key(r, j, t);
    squares += key(r, j, t) * key(r, j, t);
  }
  return exp(argument(product, squares));
}

static void answer(row* r) {
  number state[most_columns];
  sum_states(r, rows_of(r, 0), of_query, of_key, state);
  write_sums(r, 1);
}

LINEAR("exp-features-without-norm", "scorer=exp_features,normalizer=identity");
