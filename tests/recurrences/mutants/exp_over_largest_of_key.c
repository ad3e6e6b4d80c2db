/* The exp_features of a key are divided by its largest, which overflows less, and each key by
 * another number. (Of a query that is normalised it would change nothing.) */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; planted && h->call->draws && l < h->positions; ++l) {
    number* const k = row_of(h, h->k, l);
    number largest = 0;
    for (int64_t a = 0; a < h->width; ++a) largest = k[a] > largest ? k[a] : largest;
    for (int64_t a = 0; a < h->width; ++a) k[a] /= largest;
  }
  recurrent_pass(h);
}

RECURRENCE("exp_over_largest_of_key", EVERY_FEATURE, F32, NULL);
