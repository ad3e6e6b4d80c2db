/* The patterns of a call, around the position of a query: segments, dilation, chunks, blocks and
 * global keys; and the slopes of ALiBi. */
#ifndef ATTEST_TESTS_MUTANTS_PATTERNS_H
#define ATTEST_TESTS_MUTANTS_PATTERNS_H

#include "tests/mutants/plain.h"

#define PATTERNS                                                                            \
  (ATTEST_SEGMENTS | ATTEST_DILATION | ATTEST_CHUNKS | ATTEST_GLOBAL_KEYS | ATTEST_WINDOW | \
   ATTEST_BLOCK_MASK)

static inline int64_t integer(const attest_tensor* t, int64_t b, int64_t n) {
  return ((const int64_t*)t->data)[offset(t, b, 0, 0, n)];
}

static inline bool in_segment(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  return !c->query_segments ||
         integer(c->query_segments, r->b, r->i) == integer(c->key_segments, r->b, j);
}

static inline bool in_step(const row* r, int64_t j) {
  return (r->position - j) % r->call->dilation == 0;
}

static inline bool in_chunk(const row* r, int64_t j) {
  const int64_t chunk = r->call->chunk;
  return chunk == 0 || j / chunk == r->position / chunk;
}

static inline bool in_block(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  return !c->block_mask ||
         read(c->block_mask, r->b, r->h, r->i / c->block_queries, j / c->block_keys) != 0;
}

static inline bool is_global(const row* r, int64_t j) { return j < r->call->global_keys; }

static inline bool is_near(const row* r, int64_t j) {
  return in_window(r, j) && in_step(r, j) && in_chunk(r, j) && in_block(r, j);
}

/* Of the keys that the pattern speaks of. */
static inline bool reachable(const row* r, int64_t j) {
  return in_triangle(r, j) && in_segment(r, j) && !masked(r, j);
}

typedef bool keeps_key(const row* r, int64_t j);

static inline bool in_pattern(const row* r, int64_t j) {
  return reachable(r, j) && (is_global(r, j) || is_near(r, j));
}

static inline number slope_of_head(const row* r, int64_t h) {
  return r->call->slopes ? read(r->call->slopes, 0, h, 0, 0) : 0;
}

static inline number distance(const row* r, int64_t j) { return (number)llabs(j - r->position); }

static inline void attend_to(row* r, keeps_key* keeps) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = keeps(r, j) ? score(r, j) - slope_of_head(r, r->h) * distance(r, j) : -INFINITY;
  attend_to_scores(r);
}

#endif /* ATTEST_TESTS_MUTANTS_PATTERNS_H */
