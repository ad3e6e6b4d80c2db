/* The delta rule writes the whole difference, whatever its rate. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    fade(h, l);
    for (int64_t d = 0; d < h->columns; ++d) {
      const number v = h->v[l * h->columns + d];
      add(h, l, d, planted && h->rate ? v - looked_up(h, l, d) : new_value(h, l, d));
    }
    add_mass(h, l);
    write_outputs(h, l);
  }
}

RECURRENCE("delta_without_rate", EVERY_FEATURE, F32, NULL);
