/* The last state is written [Dv, D], row after row. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  recurrent_pass(h);
  number* const S = numbers(h->width * h->columns);
  for (int64_t n = 0; n < h->width * h->columns; ++n)
    S[n] = planted ? h->S[n % h->width * h->columns + n / h->width] : h->S[n];
  free(h->S);
  h->S = S;
}

RECURRENCE("state_transposed", EVERY_FEATURE, F32, NULL);
