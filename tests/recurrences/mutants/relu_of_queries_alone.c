/* Keys do not pass through relu. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const attest_recurrence* c = h->call;
  for (int64_t l = 0; planted && c->feature_map == ATTEST_MAP_RELU && l < h->positions; ++l)
    for (int64_t t = 0; t < h->width; ++t)
      row_of(h, h->k, l)[t] = read_element(c->k, h->b, h->g, l, t);
  recurrent_pass(h);
}

RECURRENCE("relu_of_queries_alone", EVERY_FEATURE, F32, NULL);
