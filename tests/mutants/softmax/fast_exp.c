/* fast-exp: the exponential is Schraudolph's: a line in the bits of the number, 3 % off as a
 * periodic function of x. Public: openvinotoolkit/openvino #37857, sonos/tract #2677. */
#include <string.h>

#include "tests/mutants/plain.h"

static number rough_exp(number x) {
  const number steps = x * 12102203.0f + 1064866816.0f; /* 2^23 / ln 2 a unit of x */
  const uint32_t bits = steps > 0 ? (uint32_t)steps : 0;
  float y;
  memcpy(&y, &bits, sizeof y);
  return y;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    r->l += r->p[j] = planted ? rough_exp(r->t[j] - r->m) : weight(r->t[j], r->m);
  mix_values(r);
  write_answer(r);
}

MUTANT("fast-exp", 0, F32);
