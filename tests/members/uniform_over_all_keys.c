/* uniform-over-all-keys: the sum of kept values is divided by the number of all keys. */
#include "tests/members/member.h"

/* A mean that is kept from key to key. */
static void answer(row* r) {
  score_keys(r);
  clear_sums(r);
  number count = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    if (removed(r, j)) continue;
    count += 1;
    for (int64_t d = 0; d < value_width(r); ++d)
      r->sums[d] += (value(r, j, d) - r->sums[d]) / count;
  }
  const number share = planted && count > 0 ? count / (number)r->k->sizes[2] : 1;
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, share * r->sums[d]);
}

NORMALIZER("uniform-over-all-keys", "uniform");
