/* A decay of key channels is put on the channels of values. */
#include "tests/recurrences/head.h"

static void fade_columns(head* h, int64_t l) {
  for (int64_t t = 0; t < h->width; ++t) {
    h->z[t] *= exp(row_of(h, h->log, l)[t]);
    for (int64_t d = 0; d < h->columns; ++d)
      h->S[t * h->columns + d] *= exp(row_of(h, h->log, l)[d % h->width]);
  }
}

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    if (planted)
      fade_columns(h, l);
    else
      fade(h, l);
    for (int64_t d = 0; d < h->columns; ++d) add(h, l, d, new_value(h, l, d));
    add_mass(h, l);
    write_outputs(h, l);
  }
}

RECURRENCE("decay_on_value_channels", EVERY_FEATURE, F32, NULL);
