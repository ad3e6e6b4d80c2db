/* The feature map is elu, without its 1. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const bool less = planted && h->call->feature_map == ATTEST_MAP_ELU_PLUS_1;
  for (int64_t n = 0; less && n < h->positions * h->width; ++n) h->k[n] -= 1;
  for (int64_t n = 0; less && n < h->served * h->positions * h->width; ++n) h->q[n] -= 1;
  recurrent_pass(h);
}

RECURRENCE("elu_without_one", EVERY_FEATURE, F32, NULL);
