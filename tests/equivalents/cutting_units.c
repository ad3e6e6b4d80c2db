/* Matrix units: sixteen products and the accumulator are aligned to the largest of them and cut to
 * 24 bits. A column of ones lets them sum the stored weights too. */
#define NUMBER double
#include "tests/mutants/plain.h"

enum { fused = 16, held_bits = 24, lowest_exponent = -140 };

static number in_float(number x) { return (number)(float)x; }

static int exponent_of(number x) {
  int exponent = lowest_exponent;
  if (x != 0 && isfinite(x)) frexp(x, &exponent);
  return exponent;
}

/* x as a multiple of the last of the bits that begin at 2^exponent. */
static number cut(number x, int exponent) {
  return ldexp(trunc(ldexp(x, held_bits - exponent)), exponent - held_bits);
}

/* The sum of the accumulator, addends[0], and n - 1 products. */
static number added_at_once(const number* addends, int64_t n) {
  int top = lowest_exponent;
  for (int64_t i = 0; i < n; ++i)
    if (exponent_of(addends[i]) > top) top = exponent_of(addends[i]);
  number sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += cut(addends[i], top);
  return isfinite(sum) ? cut(sum, exponent_of(sum)) : sum;
}

typedef struct unit {
  number addends[1 + fused];
  int64_t count;
} unit;

static void flush(unit* u) {
  u->addends[0] = added_at_once(u->addends, 1 + u->count);
  u->count = 0;
}

static void add(unit* u, number product) {
  u->addends[++u->count] = product;
  if (u->count == fused) flush(u);
}

static number result(unit* u) {
  flush(u);
  return u->addends[0];
}

static number unit_score(const row* r, int64_t j) {
  unit u = {{0}, 0};
  for (int64_t n = 0; n < width(r); ++n) add(&u, query(r, n) * key(r, j, n));
  number s = in_float(in_float(r->scale) * result(&u));
  if (r->soft_cap > 0) s = in_float(r->soft_cap * in_float(tanh(in_float(s / r->soft_cap))));
  return in_float(biased(r, j, s));
}

/* Of a column of v, or of ones. */
static number unit_sum(const row* r, int64_t d) {
  unit u = {{0}, 0};
  for (int64_t j = 0; j < r->keys; ++j)
    add(&u, removed(r, j) ? 0 : r->p[j] * (d < 0 ? 1 : value(r, j, d)));
  return result(&u);
}

static number stored_weight(const row* r, int64_t j) {
  const number p = in_float(weight(r->t[j], r->m));
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, p);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? unit_score(r, j) : -INFINITY;
  find_greatest(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = stored_weight(r, j);
  r->l = in_float(unit_sum(r, -1) + in_float(weight(r->sink, r->m)));
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] = unit_sum(r, d);
  write_answer(r);
}

PLUGIN("cutting-units", EVERY_FEATURE, F16 | BF16, NULL, NULL);
