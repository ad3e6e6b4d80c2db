/* The sum of the weights does not fade as the state does. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const size_t size = (size_t)h->width * sizeof *h->z;
  number* const mass = numbers(h->width);
  for (int64_t l = 0; l < h->positions; ++l) {
    memcpy(mass, h->z, size);
    fade(h, l);
    if (planted) memcpy(h->z, mass, size);
    for (int64_t d = 0; d < h->columns; ++d) add(h, l, d, new_value(h, l, d));
    add_mass(h, l);
    write_outputs(h, l);
  }
  free(mass);
}

RECURRENCE("normaliser_without_decay", EVERY_FEATURE, F32, NULL);
