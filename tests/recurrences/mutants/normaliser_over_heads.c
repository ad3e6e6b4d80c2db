/* Outputs are divided by the mean of the weights of the heads that share a state. */
#include "tests/recurrences/head.h"

static number mean_weight(head* h, int64_t l) {
  number sum = 0;
  for (int64_t r = 0; r < h->served; ++r) sum += weight_of(h, r, l);
  return sum / (number)h->served;
}

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    absorb(h, l);
    for (int64_t r = 0; r < h->served; ++r)
      for (int64_t d = 0; d < h->columns; ++d)
        write_output(h, r, l, d, output_of(h, r, l, d),
                     planted ? mean_weight(h, l) : weight_of(h, r, l));
  }
}

RECURRENCE("normaliser_over_heads", EVERY_FEATURE, F32, NULL);
