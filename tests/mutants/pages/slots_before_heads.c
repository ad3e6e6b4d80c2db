/* slots-before-heads: a dense pool [pages, H, page, D] is read as [pages, page, H, D]. */
#include "tests/mutants/pages.h"

static bool is_dense(const attest_tensor* t) {
  const int64_t* n = t->sizes;
  return t->strides[3] == 1 && t->strides[2] == n[3] && t->strides[1] == n[2] * n[3];
}

static int64_t in_other_order(const attest_tensor* pool, slot s, int64_t head, int64_t d) {
  const int64_t heads = pool->sizes[1], page = pool->sizes[2], width = pool->sizes[3];
  if (!is_dense(pool)) return element_of(pool, s, head, d);
  return ((s.page * page + s.n) * heads + head) * width + d;
}

static const steps wrong = {keys_of, slot_of, slot_of, in_other_order};

PAGED_MUTANT("slots-before-heads", PAGES, wrong);
