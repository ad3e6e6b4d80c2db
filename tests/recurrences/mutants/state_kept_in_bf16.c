/* Between positions the state is held in bfloat16. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    absorb(h, l);
    for (int64_t n = 0; planted && n < h->width * h->columns; ++n)
      h->S[n] = (number)rounded(bf16, (double)h->S[n]);
    write_outputs(h, l);
  }
}

RECURRENCE("state_kept_in_bf16", EVERY_FEATURE, BF16 | F32, NULL);
