/* The pieces of a row that is answered in one pass with a running maximum, tile by tile. */
#ifndef ATTEST_TESTS_MUTANTS_ONLINE_H
#define ATTEST_TESTS_MUTANTS_ONLINE_H

#include "tests/mutants/plain.h"

enum { tile_size = 16 };

/* The sink is a key without a value. */
static inline void start(row* r) {
  r->m = r->sink;
  r->l = weight(r->sink, r->m);
  clear_sums(r);
}

static inline void rescale_sums(row* r, number factor) {
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] *= factor;
}

/* Makes m the reference of all that was summed before. */
static inline void raise_to(row* r, number m) {
  const number factor = weight(r->m, m);
  r->m = m;
  r->l *= factor;
  rescale_sums(r, factor);
}

static inline void add_key(row* r, int64_t j) {
  const number p = weight(r->t[j], r->m);
  r->l += p;
  add_value(r, j, p);
}

static inline void add_keys(row* r, int64_t first, int64_t last) {
  for (int64_t j = first; j < last; ++j) add_key(r, j);
}

static inline void visit_tile(row* r, int64_t first) {
  const int64_t last = smaller(first + tile_size, r->keys);
  raise_to(r, greatest(r, first, last, r->m));
  add_keys(r, first, last);
}

/* The right answer. */
static inline void attend_online(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_tile(r, first);
  write_answer(r);
}

#endif /* ATTEST_TESTS_MUTANTS_ONLINE_H */
