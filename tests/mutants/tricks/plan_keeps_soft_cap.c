/* plan-keeps-soft-cap: what is prepared for calls of these sizes holds the soft cap of the first
 * that has one. */
#include "tests/mutants/plain.h"

static struct {
  int64_t sizes[6];
  number soft_cap;
} plan;

static bool is_planned(const row* r) {
  const int64_t sizes[6] = {r->q->sizes[0], query_heads(r), queries(r),
                            width(r),       r->k->sizes[2], value_width(r)};
  bool same = true;
  for (int n = 0; n < 6; ++n) {
    same = same && plan.sizes[n] == sizes[n];
    plan.sizes[n] = sizes[n];
  }
  return same;
}

static void answer(row* r) {
  if (r->soft_cap > 0 && !is_planned(r)) plan.soft_cap = r->soft_cap;
  if (planted && r->soft_cap > 0) r->soft_cap = plan.soft_cap;
  attend(r);
}

MUTANT("plan-keeps-soft-cap", ATTEST_SOFT_CAP | CAUSAL, F32);
