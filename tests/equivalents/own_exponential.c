/* The exponential is our own: 2^n times a polynomial of degree 6 on [-ln(2) / 2, ln(2) / 2]. */
#include "tests/mutants/plain.h"

static number exponential(number x) {
  const number n = rint(x * 1.44269504f);
  const number y = fma(n, -0x1.62e4p-1f, x), z = fma(n, -0x1.7f7d1cp-20f, y);
  const number tail = fma(z, fma(z, fma(z, 1.0f / 720, 1.0f / 120), 1.0f / 24), 1.0f / 6);
  return ldexp(fma(z, fma(z, fma(z, tail, 0.5f), 1), 1), (int)n);
}

static number own_weight(number t, number m) {
  return t - m < -100 || t == -INFINITY ? 0 : exponential(t - m);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = own_weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j) r->l += r->p[j] = own_weight(r->t[j], r->m);
  mix_values(r);
  write_answer(r);
}

PLUGIN("own-exponential", EVERY_FEATURE, F32, NULL, NULL);
