/* A product of floats is six products of their upper, middle and lower eight bits; what is left out
 * counts as a few more roundings of an operand. */
#include "tests/mutants/plain.h"

typedef struct thirds {
  number a, b, c;
} thirds;

static number up(number x) { return (number)truncated(bf16, x); }

static thirds split(number x) {
  thirds t;
  t.a = up(x);
  t.b = up(x - t.a);
  t.c = up(x - t.a - t.b);
  return t;
}

static number product(number x, number y) {
  const thirds s = split(x), t = split(y);
  return s.a * t.a + (s.a * t.b + s.b * t.a + (s.b * t.b + (s.a * t.c + s.c * t.a)));
}

static number split_dot(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum += product(query(r, n), key(r, j, n));
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, r->scale * split_dot(r, j))) : -INFINITY;
  find_greatest(r);
  weigh_keys(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d)
      r->sums[d] += product(r->p[j], value(r, j, d));
  write_answer(r);
}

PLUGIN("six-products", EVERY_FEATURE, F32, NULL,
       "{\"from\": \"float32\", \"q_conversion\": {\"times\": 12},"
       " \"v_conversion\": {\"format\": \"f32\", \"subnormals\": \"flushed\", \"times\": 12}}");
