/* Outputs are not divided by the sum of their weights. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    absorb(h, l);
    for (int64_t r = 0; r < h->served; ++r)
      for (int64_t d = 0; d < h->columns; ++d)
        write_output(h, r, l, d, output_of(h, r, l, d), planted ? 1 : weight_of(h, r, l));
  }
}

RECURRENCE("normaliser_missing", EVERY_FEATURE, F32, NULL);
