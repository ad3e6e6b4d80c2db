/* The output is divided by the sum of the weights so far: each tile multiplies it by the old sum
 * and divides it by the new one, as the first FlashAttention did. So a tile is merged with what was
 * before it, which the contract says. */
#include "tests/mutants/online.h"

static void visit_divided(row* r, int64_t first) {
  const int64_t last = smaller(first + tile_size, r->keys);
  const number m = greatest(r, first, last, r->m), factor = weight(r->m, m), before = r->l * factor;
  number tile = 0;
  for (int64_t j = first; j < last; ++j) tile += r->p[j] = weight(r->t[j], m);
  const number l = before + tile;
  if (!(l > 0)) return;
  for (int64_t d = 0; d < value_width(r); ++d) {
    number sum = 0;
    for (int64_t j = first; j < last; ++j)
      if (!removed(r, j)) sum += r->p[j] * value(r, j, d);
    r->sums[d] = (before * r->sums[d] + sum) / l;
  }
  r->m = m;
  r->l = l;
}

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_divided(r, first);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

PLUGIN("divided-as-it-goes", EVERY_FEATURE, F32, NULL, "{\"from\": \"float32\", \"merges\": 8192}");
