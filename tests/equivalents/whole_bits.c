/* The maximum is cut to a whole number of bits, so that a rescaling only moves exponents: less than
 * ln 2 above it is ignored, which the contract says. */
#include "tests/mutants/online.h"

static const number log2_e = 1.4426950408889634f, ln_2 = 0.6931471805599453f;

static number bits(const row* r, int64_t j) { return r->t[j] * log2_e; }

static void answer(row* r) {
  score_keys(r);
  r->m = r->sink == -INFINITY ? -INFINITY : floor(r->sink * log2_e);
  r->l = r->sink == -INFINITY ? 0 : exp2(r->sink * log2_e - r->m);
  clear_sums(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    const int64_t last = smaller(first + tile_size, r->keys);
    number m = r->m;
    for (int64_t j = first; j < last; ++j)
      if (!removed(r, j)) m = fmax(m, floor(bits(r, j)));
    if (m == -INFINITY) continue;
    if (m > r->m) {
      const number f = r->m == -INFINITY ? 0 : ldexp(1.0f, (int)fmax(r->m - m, -300));
      r->l *= f;
      rescale_sums(r, f);
      r->m = m;
    }
    for (int64_t j = first; j < last; ++j) {
      const number p = removed(r, j) ? 0 : exp2(bits(r, j) - m);
      r->l += p;
      add_value(r, j, p);
    }
  }
  write_answer(r);
  if (r->l > 0) set_lse(r, (r->m + log2(r->l)) * ln_2);
}

PLUGIN("whole-bits", EVERY_FEATURE, F32, NULL,
       "{\"from\": \"float32\", \"rescale_threshold\": 0.6931471805599454}");
