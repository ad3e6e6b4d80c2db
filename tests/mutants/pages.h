/* Calls whose k and v lie in pages: they are gathered first, and attended to as contiguous ones. A
 * mutant has one of the steps of the gathering wrong. */
#ifndef ATTEST_TESTS_MUTANTS_PAGES_H
#define ATTEST_TESTS_MUTANTS_PAGES_H

#include <string.h>

#include "tests/mutants/patterns.h"

/* A call with its page table; the pages of the pool are k->sizes[0], of k->sizes[2] keys each. */
typedef struct cache {
  const attest_forward* call;
  const attest_tensor* table;
  int64_t page, pages, entries;
} cache;

/* Where a key lies. */
typedef struct slot {
  int64_t page, n;
} slot;

static inline int64_t length_of(const cache* c, int64_t b) {
  return integer(c->call->lengths, b, 0);
}

static inline int64_t entry(const cache* c, int64_t b, int64_t n) {
  return integer(c->table, b, n);
}

static inline int64_t clamped(int64_t n, int64_t count) {
  return n < 0 ? 0 : n < count ? n : count - 1;
}

/* The right steps. */
static inline int64_t keys_of(const cache* c, int64_t b) { return length_of(c, b); }
static inline slot slot_of(const cache* c, int64_t b, int64_t j) {
  return (slot){entry(c, b, j / c->page), j % c->page};
}
static inline int64_t element_of(const attest_tensor* pool, slot s, int64_t head, int64_t d) {
  return offset(pool, s.page, head, s.n, d);
}

/* The steps as a mutant has them: where each key lies, for k and for v, how many keys there are,
 * and where in a pool an element lies. */
typedef struct steps {
  int64_t (*keys)(const cache*, int64_t b);
  slot (*of_k)(const cache*, int64_t b, int64_t j);
  slot (*of_v)(const cache*, int64_t b, int64_t j);
  int64_t (*element)(const attest_tensor* pool, slot, int64_t head, int64_t d);
} steps;

static const steps right_steps = {keys_of, slot_of, slot_of, element_of};

static inline size_t width_of(const attest_tensor* t) {
  switch (t->dtype) {
    case ATTEST_F64:
      return 8;
    case ATTEST_F32:
      return 4;
    case ATTEST_F16:
    case ATTEST_BF16:
      return 2;
    default:
      return 1;
  }
}

static inline attest_tensor dense(const attest_tensor* pool, int64_t batch, int64_t keys,
                                  void* data) {
  const int64_t heads = pool->sizes[1], width = pool->sizes[3];
  return (attest_tensor){.size = sizeof(attest_tensor),
                         .dtype = pool->dtype,
                         .data = data,
                         .sizes = {batch, heads, keys, width},
                         .strides = {heads * keys * width, keys * width, width, 1}};
}

/* Copies to[b, :, j, :] from a slot. */
static inline void copy_key(const steps* by, const attest_tensor* pool, slot s,
                            const attest_tensor* to, int64_t b, int64_t j) {
  const size_t width = width_of(pool);
  for (int64_t h = 0; h < pool->sizes[1]; ++h)
    for (int64_t d = 0; d < pool->sizes[3]; ++d)
      memcpy((char*)to->data + (size_t)offset(to, b, h, j, d) * width,
             (const char*)pool->data + by->element(pool, s, h, d) * (int64_t)width, width);
}

static inline int64_t most_keys(const cache* c, const steps* by, int64_t* lengths) {
  int64_t most = 1;
  for (int64_t b = 0; b < c->call->q->sizes[0]; ++b) {
    lengths[b] = by->keys(c, b);
    if (lengths[b] > most) most = lengths[b];
  }
  return most;
}

static inline void gather(const cache* c, const steps* by, const attest_tensor* k,
                          const attest_tensor* v, const int64_t* lengths) {
  for (int64_t b = 0; b < c->call->q->sizes[0]; ++b)
    for (int64_t j = 0; j < lengths[b]; ++j) {
      copy_key(by, c->call->k, by->of_k(c, b, j), k, b, j);
      copy_key(by, c->call->v, by->of_v(c, b, j), v, b, j);
    }
}

static inline int64_t elements(const attest_tensor* t) {
  return t->sizes[0] * t->sizes[1] * t->sizes[2] * t->sizes[3];
}

/* Answers a call, of pages or contiguous, by those steps. */
static inline int32_t attend_to_pages(const attest_forward* call, const steps* by,
                                      answer_row* answer) {
  const attest_tensor* table = call->reserved[ATTEST_PAGE_TABLE];
  if (!table) return each_float32_row(call, answer);
  const cache c = {call, table, call->k->sizes[2], call->k->sizes[0], table->sizes[3]};
  const int64_t batch = call->q->sizes[0];
  int64_t* lengths = calloc((size_t)batch + 1, sizeof *lengths);
  if (!lengths) return ATTEST_ERROR;
  const int64_t keys = most_keys(&c, by, lengths);
  attest_tensor k = dense(call->k, batch, keys, NULL), v = dense(call->v, batch, keys, NULL);
  k.data = calloc((size_t)elements(&k) + 1, width_of(&k));
  v.data = calloc((size_t)elements(&v) + 1, width_of(&v));
  int32_t status = ATTEST_ERROR;
  if (k.data && v.data) {
    gather(&c, by, &k, &v, lengths);
    const attest_tensor given = {.size = sizeof given,
                                 .dtype = ATTEST_I64,
                                 .data = lengths,
                                 .sizes = {batch, 1, 1, 1},
                                 .strides = {1, 1, 1, 1}};
    attest_forward contiguous = *call;
    contiguous.k = &k, contiguous.v = &v, contiguous.lengths = &given;
    contiguous.reserved[ATTEST_PAGE_TABLE] = NULL;
    status = each_float32_row(&contiguous, answer);
  }
  free(k.data), free(v.data), free(lengths);
  return status;
}

#define PAGES (ATTEST_PAGES | ATTEST_LENGTHS | CAUSAL | ATTEST_GROUPED_HEADS)

/* The plugin whose pages are read by planted_steps where the bug is planted. */
#define PAGED_MUTANT(name_, features_, planted_steps)                                           \
  static void answer(row* r) { attend_to(r, in_pattern); }                                      \
  static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {    \
    (void)message, (void)message_size;                                                          \
    if (call->size < sizeof *call) return ATTEST_UNSUPPORTED;                                   \
    return attend_to_pages(call, planted ? &(planted_steps) : &right_steps, answer);            \
  }                                                                                             \
  static const attest_plugin plugin;                                                            \
  const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; } \
  static const attest_plugin plugin = {                                                         \
      .size = sizeof(attest_plugin),                                                            \
      .abi_version = ATTEST_ABI_VERSION,                                                        \
      .name = name_,                                                                            \
      .version = "1",                                                                           \
      .features = USUAL_FEATURES | (features_),                                                 \
      .dtypes = F32,                                                                            \
      .forward = forward,                                                                       \
  }

#endif /* ATTEST_TESTS_MUTANTS_PAGES_H */
