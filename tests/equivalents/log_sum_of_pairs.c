/* Sixteen strided groups of keys, each folded into pairs of lse and output, which are then
 * merged by ln(exp(a) + exp(b)). */
#include "tests/mutants/plain.h"

/* The lse of two parts together. */
static number log_of_sum(number a, number b) {
  const number m = fmax(a, b);
  return m == -INFINITY ? m : m + log1p(exp(fmin(a, b) - m));
}

/* Keys first, first + 16, ... summed relative to their own maximum. Result: their lse. */
static number fold_group(row* r, int64_t first, number* o) {
  number m = -INFINITY, l = 0;
  for (int64_t j = first; j < r->keys; j += 16) m = fmax(m, r->t[j]);
  for (int64_t d = 0; d < value_width(r); ++d) o[d] = 0;
  for (int64_t j = first; j < r->keys; j += 16) {
    const number p = weight(r->t[j], m);
    l += p;
    for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d) o[d] += p * value(r, j, d);
  }
  for (int64_t d = 0; l > 0 && d < value_width(r); ++d) o[d] /= l;
  return l > 0 ? m + log(l) : -INFINITY;
}

static void answer(row* r) {
  number* o = malloc(sizeof(number) * (size_t)(value_width(r) + 1));
  number lse = r->sink;
  score_keys(r);
  clear_sums(r);
  for (int64_t first = 0; o && first < 16; ++first) {
    const number other = fold_group(r, first, o), both = log_of_sum(lse, other);
    for (int64_t d = 0; d < value_width(r); ++d)
      r->sums[d] = weight(lse, both) * r->sums[d] + weight(other, both) * o[d];
    lse = both;
  }
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, lse);
  free(o);
}

PLUGIN("log-sum-of-pairs", EVERY_FEATURE, F32, NULL, NULL);
