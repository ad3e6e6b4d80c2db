/* sparsemax-support-off-by-one: the threshold is that of a support with one key less. */
#include "tests/members/member.h"

static int descending(const void* a, const void* b) {
  const number x = *(const number*)a, y = *(const number*)b;
  return (x < y) - (x > y);
}

/* By sorting, in r->p for the while. */
static number threshold(row* r) {
  int64_t count = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    if (!removed(r, j)) r->p[count++] = r->t[j];
  qsort(r->p, (size_t)count, sizeof(number), descending);
  number sum = 0, tau = r->p[0] - 1, before = tau;
  for (int64_t n = 0; n < count; ++n) {
    sum += r->p[n];
    if (!(1 + (number)(n + 1) * r->p[n] > sum)) break;
    before = tau;
    tau = (sum - 1) / (number)(n + 1);
  }
  return planted ? before : tau;
}

static void answer(row* r) {
  score_keys(r);
  const number tau = count_kept(r) > 0 ? threshold(r) : 0;
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = removed(r, j) ? 0 : positive(r->t[j] - tau);
  write_mixture(r);
}

NORMALIZER("sparsemax-support-off-by-one", "sparsemax");
