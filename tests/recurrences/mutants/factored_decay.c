/* Keys are divided by what is left since the beginning, queries multiplied: 0 times infinity. */
#include "tests/recurrences/head.h"

/* sum_t x_t exp(G_l)_t (k_j exp(-G_j))_t */
static number factored(head* h, const number* G, const number* x, int64_t l, int64_t j) {
  const int64_t D = h->width;
  number sum = 0;
  for (int64_t t = 0; t < D; ++t)
    sum += x[t] * exp(G[l * D + t]) * (row_of(h, h->k, j)[t] * exp(-G[j * D + t]));
  return sum;
}

static void write_factored(head* h) {
  number* const G = numbers(h->positions * h->width);
  for (int64_t l = 0; l < h->positions; ++l) {
    for (int64_t t = 0; t < h->width; ++t)
      G[l * h->width + t] = row_of(h, h->log, l)[t] + (l > 0 ? G[(l - 1) * h->width + t] : 0);
    for (int64_t d = 0; d < h->columns; ++d) {
      number sum = 0;
      for (int64_t j = 0; j <= l; ++j)
        sum += factored(h, G, query(h, 0, l), l, j) * h->v[j * h->columns + d];
      write_output(h, 0, l, d, sum, 1);
    }
  }
  free(G);
}

static void pass_head(head* h) {
  if (planted)
    write_factored(h);
  else
    recurrent_pass(h);
}

RECURRENCE("factored_decay",
           ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY | ATTEST_RECURRENCE_POSITION_DECAY |
               ATTEST_RECURRENCE_CHANNEL_DECAY,
           F32, NULL);
