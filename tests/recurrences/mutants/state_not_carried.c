/* Each chunk begins with the state that was given. */
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) {
  const size_t size = (size_t)(h->width * h->columns) * sizeof *h->S;
  number* const given = numbers(h->width * h->columns);
  memcpy(given, h->S, size);
  for (int64_t first = 0; first < h->positions; first += 64) {
    if (planted) memcpy(h->S, given, size);
    chunk c = begin_chunk(h, first, 64);
    sum_logs(&c);
    if (h->rate)
      solve_by_rows(&c);
    else
      take_values(&c);
    write_chunk(&c);
    carry_state(&c);
    end_chunk(&c);
  }
  free(given);
}

RECURRENCE("state_not_carried", EVERY_FEATURE, F32, NULL);
