/* The pieces of a row whose keys are divided among splits, which are answered apart and merged. */
#ifndef ATTEST_TESTS_MUTANTS_SPLIT_H
#define ATTEST_TESTS_MUTANTS_SPLIT_H

#include "tests/mutants/plain.h"

enum { splits = 4, most_columns = 64 };

/* The keys [first, last): greatest score, sum of weights, and the values mixed and divided by it.
 * No key kept: -inf, 0 and 0. Columns beyond most_columns take another pass over the keys. */
typedef struct part {
  int64_t first, last;
  number m, l;
  number o[most_columns];
} part;

/* Columns [0, most_columns) of v from `column` on. */
static inline part part_of(row* r, int64_t first, int64_t last, int64_t column) {
  part s = {.first = first, .last = last, .m = greatest(r, first, last, -INFINITY)};
  const int64_t columns = smaller(value_width(r) - column, most_columns);
  for (int64_t j = first; j < last; ++j) {
    if (removed(r, j)) continue;
    const number p = weight(r->t[j], s.m);
    s.l += p;
    for (int64_t d = 0; d < columns; ++d) s.o[d] += p * value(r, j, column + d);
  }
  for (int64_t d = 0; s.l > 0 && d < columns; ++d) s.o[d] /= s.l;
  return s;
}

/* What both hold together. The identity is the part without keys. */
static inline part merged(part a, part b) {
  part s = {.first = a.first, .last = b.last, .m = fmax(a.m, b.m)};
  const number of_a = a.l * weight(a.m, s.m), of_b = b.l * weight(b.m, s.m);
  s.l = of_a + of_b;
  for (int64_t d = 0; s.l > 0 && d < most_columns; ++d)
    s.o[d] = (of_a * a.o[d] + of_b * b.o[d]) / s.l;
  return s;
}

static inline part sink_part(const row* r) {
  const part s = {.m = r->sink, .l = r->sink > -INFINITY ? 1 : 0};
  return s;
}

static inline void write_part(row* r, part s, int64_t column) {
  const int64_t columns = smaller(value_width(r) - column, most_columns);
  for (int64_t d = 0; d < columns; ++d) set_output(r, column + d, s.o[d]);
  set_lse(r, s.l > 0 ? s.m + log(s.l) : -INFINITY);
}

/* Share s of the keys is [s share, (s + 1) share), the last one what is left. */
static inline part split_of(row* r, int64_t s, int64_t column) {
  const int64_t share = (r->keys + splits - 1) / splits;
  return part_of(r, smaller(s * share, r->keys), smaller((s + 1) * share, r->keys), column);
}

/* What the parts of a row make together, in the columns from `column` on. */
typedef part combine_parts(row* r, int64_t column);

static inline void attend_in_parts(row* r, combine_parts* combined) {
  score_keys(r);
  for (int64_t column = 0; column < value_width(r); column += most_columns)
    write_part(r, combined(r, column), column);
}

#endif /* ATTEST_TESTS_MUTANTS_SPLIT_H */
