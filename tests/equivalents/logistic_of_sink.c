/* The row is answered without its sink, then weighted by the logistic function of lse - sink. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const number sink = r->sink;
  r->sink = -INFINITY;
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  const number lse = r->l > 0 ? r->m + log(r->l) : -INFINITY;
  const number share = sink == -INFINITY ? 1 : 1 / (1 + exp(sink - lse));
  for (int64_t d = 0; d < value_width(r); ++d)
    set_output(r, d, r->l > 0 ? r->sums[d] / r->l * share : 0);
  const number m = fmax(lse, sink);
  set_lse(r, m == -INFINITY ? m : m + log1p(exp(fmin(lse, sink) - m)));
}

PLUGIN("logistic-of-sink", EVERY_FEATURE, F32 | F16 | BF16, NULL, NULL);
