/* Linear attention in its own order: sums over keys first, one feature after the other, q last. */
#ifndef ATTEST_TESTS_MEMBERS_FEATURES_H
#define ATTEST_TESTS_MEMBERS_FEATURES_H

#include "tests/members/member.h"

/* Without bias and cap, with which sums over keys cannot come first. */
#define LINEAR_FEATURES                                                                            \
  (USUAL_FEATURES | CAUSAL | ATTEST_MASK | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS | \
   ATTEST_SCALE)
#define LINEAR(name_, member_) PLUGIN(name_, LINEAR_FEATURES, MEMBER_TYPES, "attest," member_, NULL)

/* What becomes of a state before the next key. */
#ifndef HELD_STATE
#define HELD_STATE(x) (x)
#endif

static inline number elu_plus_1(number x) { return x > 0 ? x + 1 : exp(x); }

/* A feature of the query, and one of a key. */
typedef number feature_of_query(const row* r, int64_t n);
typedef number feature_of_key(const row* r, int64_t j, int64_t n);

/* Adds up, over the features, that of q times the sum over the kept keys of that of k and v. r->l
 * is the same without v. */
static inline void sum_states(row* r, int64_t features, feature_of_query* of_query,
                              feature_of_key* of_key, number* state) {
  clear_sums(r);
  r->l = 0;
  for (int64_t n = 0; n < features; ++n) {
    const number q = r->scale * of_query(r, n);
    number total = 0;
    for (int64_t d = 0; d < value_width(r); ++d) state[d] = 0;
    for (int64_t j = 0; j < r->keys; ++j) {
      if (!kept(r, j)) continue;
      const number k = of_key(r, j, n);
      total += k;
      for (int64_t d = 0; d < value_width(r); ++d)
        state[d] = HELD_STATE(state[d] + k * value(r, j, d));
    }
    r->l += q * total;
    for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] += q * state[d];
  }
}

static inline void write_sums(const row* r, number divisor) {
  for (int64_t d = 0; d < value_width(r); ++d)
    set_output(r, d, divisor != 0 ? r->sums[d] / divisor : 0);
}

#endif /* ATTEST_TESTS_MEMBERS_FEATURES_H */
