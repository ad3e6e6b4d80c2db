/* Weights and outputs are rounded up or down by chance, the nearer the likelier. */
#include "tests/mutants/plain.h"

static uint64_t state = 88172645463325252u;

static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static number by_chance(number x) {
  const number cut = (number)truncated(bf16, x);
  if (cut == x) return x;
  const number step = (number)spacing(bf16, x);
  return uniform() < fabs(x - cut) / step ? cut + copysign(step, x) : cut;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = by_chance(r->p[j]);
  mix_values(r);
  write_answer(r);
  for (int64_t d = 0; r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, by_chance(r->sums[d] / r->l));
}

PLUGIN("stochastic-rounding", EVERY_FEATURE, BF16, NULL,
       "{\"from\": \"bf16-flash\", \"output_mode\": \"stochastic\","
       " \"weight_storage\": {\"format\": \"bf16\", \"rounding\": \"stochastic\"}}");
