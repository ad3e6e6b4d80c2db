/* The state fades after a position is added, and with it. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    if (!planted) fade(h, l);
    for (int64_t d = 0; d < h->columns; ++d) add(h, l, d, new_value(h, l, d));
    add_mass(h, l);
    if (planted) fade(h, l);
    write_outputs(h, l);
  }
}

RECURRENCE("decay_after_update", EVERY_FEATURE, F32, NULL);
