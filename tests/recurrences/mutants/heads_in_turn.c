/* Query head h is served by KV head h mod Hkv. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const attest_recurrence* c = h->call;
  recurrent_pass(h);
  if (!planted) return;
  head again = begin_head(c, h->b, h->g);
  for (int64_t l = 0; l < h->positions; ++l) {
    absorb(&again, l);
    for (int64_t r = 0; r < h->served; ++r) {
      const int64_t taken = r * c->k->sizes[1] + h->g; /* of which h->g would be the KV head */
      for (int64_t t = 0; t < h->width; ++t) query(&again, r, l)[t] = feature(h, t, c->q, taken, l);
      for (int64_t d = 0; d < h->columns; ++d) {
        const number weight = weight_of(&again, r, l), sum = output_of(&again, r, l, d);
        write_element(c->o, h->b, taken, l, d,
                      !c->normalised ? sum * h->scale
                      : weight != 0  ? sum / weight
                                     : 0);
      }
    }
  }
  end_head(&again);
}

RECURRENCE("heads_in_turn", EVERY_FEATURE, F32, NULL);
