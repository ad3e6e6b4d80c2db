/* Eight partial sums, as of a vector, begin at an address that 32 divides; what comes before is
 * added by itself. So the order of a sum depends on where k lies. */
#include "tests/mutants/plain.h"

static number lanes_dot(const row* r, int64_t j) {
  const float* k = (const float*)r->k->data + offset(r->k, r->b, r->g, j, 0);
  int64_t n = 0;
  number head = 0, lanes[8] = {0};
  if (r->k->strides[3] == 1)
    for (; n < width(r) && (uintptr_t)(k + n) % 32 != 0; ++n) head += query(r, n) * key(r, j, n);
  for (; n < width(r); ++n) lanes[n % 8] += query(r, n) * key(r, j, n);
  number sum = head;
  for (int lane = 0; lane < 8; ++lane) sum += lanes[lane];
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, r->scale * lanes_dot(r, j))) : -INFINITY;
  attend_to_scores(r);
}

PLUGIN("lanes-by-address", EVERY_FEATURE, F32, NULL, NULL);
