/* The state that is returned has passed through float16. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  recurrent_pass(h);
  for (int64_t n = 0; planted && n < h->width * h->columns; ++n)
    h->S[n] = (number)rounded(f16, (double)h->S[n]);
}

RECURRENCE("state_in_f16", EVERY_FEATURE, F32, NULL);
