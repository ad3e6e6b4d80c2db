/* Scores of vectors that their positions turn: q once for its row, then each key. */
#ifndef ATTEST_TESTS_MEMBERS_ROTARY_H
#define ATTEST_TESTS_MEMBERS_ROTARY_H

#include "tests/members/member.h"

typedef struct pair {
  int64_t a, b;
} pair;

static inline pair half_apart(int64_t t, int64_t pairs) { return (pair){t, t + pairs}; }
static inline pair side_by_side(int64_t t, int64_t pairs) {
  (void)pairs;
  return (pair){2 * t, 2 * t + 1};
}

static inline int64_t pairs_of(const row* r) { return r->call->parameters[0]->sizes[3]; }

/* Turns a vector of the width in place; backwards: by the negative angle. */
static inline void turn(const row* r, number* x, int64_t position, pair (*paired)(int64_t, int64_t),
                        bool backwards) {
  const int64_t pairs = pairs_of(r);
  for (int64_t t = 0; t < pairs; ++t) {
    const pair at = paired(t, pairs);
    const number c = parameter(r, 0, position, t);
    const number s = backwards ? -parameter(r, 1, position, t) : parameter(r, 1, position, t);
    const number a = x[at.a], b = x[at.b];
    x[at.a] = a * c - b * s;
    x[at.b] = b * c + a * s;
  }
}

static inline number product_of_turned(const row* r, const number* q, const number* k) {
  number sum = 0;
  for (int64_t t = 0; t < width(r); ++t) sum += q[t] * k[t];
  return sum;
}

#endif /* ATTEST_TESTS_MEMBERS_ROTARY_H */
