/* Keys are visited in the order of their scores, the least first. */
#include "tests/mutants/plain.h"

/* The key with the least score of those not visited; their weights are still negative. */
static int64_t least_unvisited(const row* r) {
  int64_t least = -1;
  for (int64_t j = 0; j < r->keys; ++j)
    if (r->p[j] < 0 && (least < 0 || r->t[j] < r->t[least])) least = j;
  return least;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = weight(r->sink, r->m);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = -1;
  for (int64_t j = least_unvisited(r); j >= 0; j = least_unvisited(r)) {
    r->l += r->p[j] = weight(r->t[j], r->m);
    add_value(r, j, r->p[j]);
  }
  write_answer(r);
}

PLUGIN("sorted-keys", EVERY_FEATURE, F32, NULL, NULL);
