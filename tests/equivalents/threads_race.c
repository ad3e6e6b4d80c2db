/* Four threads take a quarter of the keys each, and merge their parts as they finish: for the first
 * query of a head, where the kernel would be slow without; otherwise one after the other. */
#include <pthread.h>

#include "tests/mutants/split.h"

typedef struct work {
  row* r;
  int64_t s, column;
  pthread_mutex_t* lock;
  part* all;
} work;

static void* merge_share(void* given) {
  const work* w = given;
  const part p = split_of(w->r, w->s, w->column);
  pthread_mutex_lock(w->lock);
  *w->all = merged(*w->all, p);
  pthread_mutex_unlock(w->lock);
  return NULL;
}

static part merged_in_order(row* r, int64_t column) {
  part all = sink_part(r);
  for (int64_t s = 0; s < splits; ++s) all = merged(all, split_of(r, s, column));
  return all;
}

static part merged_as_they_finish(row* r, int64_t column) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  part all = sink_part(r);
  pthread_t threads[splits];
  work w[splits];
  for (int64_t s = 0; s < splits; ++s) {
    w[s] = (work){r, s, column, &lock, &all};
    pthread_create(&threads[s], NULL, merge_share, &w[s]);
  }
  for (int64_t s = 0; s < splits; ++s) pthread_join(threads[s], NULL);
  return all;
}

static part combined(row* r, int64_t column) {
  return r->i == 0 ? merged_as_they_finish(r, column) : merged_in_order(r, column);
}

static void answer(row* r) { attend_in_parts(r, combined); }

PLUGIN("threads-race", EVERY_FEATURE, F32, NULL, NULL);
