/* exp_features are exp(w . x), without the half square of x. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  if (h->call->draws) read_exp_features(h, h->g, planted ? 0 : 1);
  recurrent_pass(h);
}

RECURRENCE("exp_without_norm", EVERY_FEATURE, F32, NULL);
