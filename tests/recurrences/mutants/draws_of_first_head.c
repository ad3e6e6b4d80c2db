/* Every KV head takes the draws of the first. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  if (h->call->draws) read_exp_features(h, planted ? 0 : h->g, 1);
  recurrent_pass(h);
}

RECURRENCE("draws_of_first_head", EVERY_FEATURE, F32, NULL);
