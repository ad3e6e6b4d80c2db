/* The delta rule looks up the state before it fades. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  number* const fresh = numbers(h->columns);
  for (int64_t l = 0; l < h->positions; ++l) {
    if (!planted) fade(h, l);
    for (int64_t d = 0; d < h->columns; ++d) fresh[d] = new_value(h, l, d);
    if (planted) fade(h, l);
    for (int64_t d = 0; d < h->columns; ++d) add(h, l, d, fresh[d]);
    add_mass(h, l);
    write_outputs(h, l);
  }
  free(fresh);
}

RECURRENCE("delta_before_decay", EVERY_FEATURE, F32, NULL);
