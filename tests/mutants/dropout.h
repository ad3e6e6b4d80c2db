/* Dropout by a given mask: which weights meet their values, and the factor of those that do. */
#ifndef ATTEST_TESTS_MUTANTS_DROPOUT_H
#define ATTEST_TESTS_MUTANTS_DROPOUT_H

#include "tests/mutants/plain.h"

static inline const attest_tensor* dropout_mask(const row* r) {
  return r->call->reserved[ATTEST_DROPOUT_MASK];
}

/* s, 1 where there is no mask. */
static inline number dropout_scale(const row* r) { return (number)r->call->dropout_scale; }

static inline bool dropped_at(const row* r, int64_t b, int64_t h, int64_t i, int64_t j) {
  return dropout_mask(r) && read(dropout_mask(r), b, h, i, j) == 0;
}

static inline bool dropped(const row* r, int64_t j) { return dropped_at(r, r->b, r->h, r->i, j); }

typedef bool drops_key(const row* r, int64_t j);

/* After the sum of all: dropped weights are 0, kept ones have the scale. */
static inline void drop_weights(row* r, drops_key* drops, number scale) {
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = drops(r, j) ? 0 : scale * r->p[j];
}

static inline void attend_and_drop(row* r, drops_key* drops, number scale) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  drop_weights(r, drops, scale);
  mix_values(r);
  write_answer(r);
}

#endif /* ATTEST_TESTS_MUTANTS_DROPOUT_H */
