/* The other members of the family, each by another algorithm than the reference's: pieces beside
 * those of tests/mutants/plain.h. A file that is built with PLANTED has its bug; without, it is a
 * control, which is right. */
#ifndef ATTEST_TESTS_MEMBERS_MEMBER_H
#define ATTEST_TESTS_MEMBERS_MEMBER_H

#include "tests/mutants/plain.h"

#define MEMBER_FEATURES                                                                         \
  (CAUSAL | ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_WINDOW | ATTEST_LENGTHS | \
   ATTEST_GROUPED_HEADS | ATTEST_SCALE | ATTEST_SOFT_CAP)

/* Held in 16 or 32 bits, computed in float. */
#define MEMBER_TYPES (F32 | F16 | BF16)

/* More than attest asks. */
enum { most_columns = 1024 };

/* Element [a, b] of the n-th parameter of the row's query head. */
static inline number parameter(const row* r, int n, int64_t a, int64_t b) {
  return read(r->call->parameters[n], 0, r->h, a, b);
}
static inline int64_t rows_of(const row* r, int n) { return r->call->parameters[n]->sizes[2]; }

/* Scores by the scorer of a file, with cap, bias and key set as ever. */
typedef number score_of_key(const row* r, int64_t j);

static inline void score_keys_by(row* r, score_of_key* raw) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, r->scale * raw(r, j))) : -INFINITY;
}

/* Weights that are shares already. */
static inline void write_mixture(row* r) {
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
}

static inline int64_t count_kept(const row* r) {
  int64_t count = 0;
  for (int64_t j = 0; j < r->keys; ++j) count += removed(r, j) ? 0 : 1;
  return count;
}

static inline number positive(number x) { return x > 0 ? x : 0; }

/* A scorer with softmax, and a normalizer of scaled dot products. */
#define SCORER(name_, scorer_)                                            \
  PLUGIN(name_, MEMBER_FEATURES | ATTEST_SINK | ATTEST_LSE, MEMBER_TYPES, \
         "attest,scorer=" scorer_, NULL)
#define NORMALIZER(name_, normalizer_) \
  PLUGIN(name_, MEMBER_FEATURES, MEMBER_TYPES, "attest,normalizer=" normalizer_, NULL)

#endif /* ATTEST_TESTS_MEMBERS_MEMBER_H */
