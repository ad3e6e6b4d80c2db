/* The pieces of a row that is answered in one pass with a running maximum, page by page, where the
 * pages lie. A contiguous cache is one page of all keys a batch row. */
#ifndef ATTEST_TESTS_MUTANTS_PAGE_BY_PAGE_H
#define ATTEST_TESTS_MUTANTS_PAGE_BY_PAGE_H

#include "tests/mutants/online.h"
#include "tests/mutants/patterns.h"

static inline int64_t page_size(const row* r) { return r->k->sizes[2]; }

/* The pages that hold keys of the row. */
static inline int64_t pages_of_row(const row* r) {
  return r->keys == 0 ? 0 : (r->keys - 1) / page_size(r) + 1;
}

/* The page of the pool that is the n-th of the batch row. */
static inline int64_t page_of(const row* r, int64_t n) {
  const attest_tensor* table = r->call->reserved[ATTEST_PAGE_TABLE];
  return table ? integer(table, r->b, n) : r->b;
}

/* Of key j, which lies in that slot of that page. */
static inline number score_in_page(const row* r, int64_t page, int64_t slot, int64_t j) {
  number sum = 0;
  for (int64_t d = 0; d < width(r); ++d) sum += query(r, d) * read(r->k, page, r->g, slot, d);
  return biased(r, j, capped(r, r->scale * sum)) - slope_of_head(r, r->h) * distance(r, j);
}

static inline void add_slot(row* r, int64_t page, int64_t slot) {
  const number p = weight(r->t[slot], r->m);
  r->l += p;
  for (int64_t d = 0; d < value_width(r) && !removed(r, slot); ++d)
    r->sums[d] += p * read(r->v, page, r->g, slot, d);
}

static inline void visit_page(row* r, int64_t n) {
  const int64_t first = n * page_size(r), page = page_of(r, n),
                count = smaller(page_size(r), r->keys - first);
  for (int64_t slot = 0; slot < count; ++slot)
    r->t[slot] =
        in_pattern(r, first + slot) ? score_in_page(r, page, slot, first + slot) : -INFINITY;
  raise_to(r, greatest(r, 0, count, r->m));
  for (int64_t slot = 0; slot < count; ++slot) add_slot(r, page, slot);
}

#endif /* ATTEST_TESTS_MUTANTS_PAGE_BY_PAGE_H */
