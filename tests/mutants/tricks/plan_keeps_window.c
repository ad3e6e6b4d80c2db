/* plan-keeps-window: what is prepared for calls of these sizes holds the window of the first. */
#include "tests/mutants/plain.h"

static struct { int64_t sizes[6], left, right; } plan;

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
  const bool has_window = r->window_left >= 0 || r->window_right >= 0;
  if (has_window && !is_planned(r)) plan.left = r->window_left, plan.right = r->window_right;
  if (planted && has_window) r->window_left = plan.left, r->window_right = plan.right;
  attend(r);
}

MUTANT("plan-keeps-window", ATTEST_WINDOW | ATTEST_CAUSAL_BOTTOM_RIGHT, F32);
