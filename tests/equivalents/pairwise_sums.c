/* All sums over keys are taken pairwise. */
#include "tests/mutants/plain.h"

static number sum_of_weights(const row* r, int64_t first, int64_t last) {
  if (last - first == 0) return 0;
  if (last - first == 1) return r->p[first];
  const int64_t middle = first + (last - first) / 2;
  return sum_of_weights(r, first, middle) + sum_of_weights(r, middle, last);
}

static number sum_of_values(const row* r, int64_t first, int64_t last, int64_t d) {
  if (last - first == 0) return 0;
  if (last - first == 1) return removed(r, first) ? 0 : r->p[first] * value(r, first, d);
  const int64_t middle = first + (last - first) / 2;
  return sum_of_values(r, first, middle, d) + sum_of_values(r, middle, last, d);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  r->l = sum_of_weights(r, 0, r->keys) + weight(r->sink, r->m);
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] = sum_of_values(r, 0, r->keys, d);
  write_answer(r);
}

PLUGIN("pairwise-sums", EVERY_FEATURE, F32, NULL, NULL);
