/* sparsemax-threshold: tau = S / k, without the 1 that the weights have to sum to. */
#include "tests/members/member.h"

/* Michelot's projection: what is not above the threshold leaves the set, until nothing does. */
static number threshold(const row* r) {
  number tau = -INFINITY;
  for (bool changed = true; changed;) {
    number sum = planted ? 0 : -1, count = 0;
    for (int64_t j = 0; j < r->keys; ++j)
      if (!removed(r, j) && r->t[j] > tau) sum += r->t[j], count += 1;
    const number next = sum / count;
    changed = count > 0 && next > tau;
    if (changed) tau = next;
  }
  return tau;
}

static void answer(row* r) {
  score_keys(r);
  const number tau = count_kept(r) > 0 ? threshold(r) : 0;
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = removed(r, j) ? 0 : positive(r->t[j] - tau);
  write_mixture(r);
}

NORMALIZER("sparsemax-threshold", "sparsemax");
