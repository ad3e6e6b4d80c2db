/* exp2 by a cubic polynomial and the exponent's field, a maximum that is raised only by more than 8
 * bits, and weights in bfloat16. */
#include <string.h>

#include "tests/mutants/online.h"

static const number log2_e = 1.4426950408889634f, ln_2 = 0.6931471805599453f;

static number exp2_by_cubic(number x) {
  x = fmax(x, -127.0f);
  const number whole = floor(x), f = x - whole;
  const number p = fma(
      fma(fma(0.077119089663028717f, f, 0.227564394474029541f), f, 0.695146143436431885f), f, 1.0f);
  int32_t bits;
  memcpy(&bits, &p, 4);
  bits += (int32_t)whole * (1 << 23);
  number y;
  memcpy(&y, &bits, 4);
  return y;
}

static number stored(number x) { return (number)rounded(bf16, x); }

static void raise_by_bits(row* r, number top) {
  const number f = r->m == -INFINITY ? 0 : exp2(r->m - top);
  r->l *= f;
  rescale_sums(r, f);
  r->m = top;
}

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] *= log2_e;
  r->m = r->sink * log2_e;
  r->l = r->sink > -INFINITY ? 1 : 0;
  clear_sums(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    const int64_t last = smaller(first + tile_size, r->keys);
    const number top = greatest(r, first, last, r->m);
    if (top == -INFINITY) continue;
    if (top > r->m + 8) raise_by_bits(r, top);
    for (int64_t j = first; j < last; ++j) {
      const number p = removed(r, j) ? 0 : exp2_by_cubic(r->t[j] - r->m);
      r->l += p;
      add_value(r, j, stored(p));
    }
  }
  write_answer(r);
  if (r->l > 0) set_lse(r, (r->m + log2(r->l)) * ln_2);
}

PLUGIN("cubic-exponential", EVERY_FEATURE, BF16, NULL,
       "{\"from\": \"bf16-flash\", \"rescale_threshold\": 5.545177444479563}");
