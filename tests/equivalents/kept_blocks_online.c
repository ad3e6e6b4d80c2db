/* Right: walks the keys in tiles that follow the pattern, global keys first and then what the
 * window or the chunk reaches, a tile of 16 at a time with a running maximum; tiles that the block
 * mask leaves out wholly are not looked at. */
#include "tests/mutants/online.h"
#include "tests/mutants/patterns.h"

static void visit(row* r, int64_t first, int64_t last) {
  for (int64_t from = first; from < last; from += tile_size) {
    const int64_t to = smaller(from + tile_size, last);
    bool any = false;
    for (int64_t j = from; j < to; ++j) any = any || in_pattern(r, j);
    if (!any) continue;
    for (int64_t j = from; j < to; ++j)
      r->t[j] =
          in_pattern(r, j) ? score(r, j) - slope_of_head(r, r->h) * distance(r, j) : -INFINITY;
    raise_to(r, greatest(r, from, to, r->m));
    add_keys(r, from, to);
  }
}

/* The keys that window, chunk and triangle reach. */
static void reach(const row* r, int64_t* first, int64_t* last) {
  *first = 0, *last = r->keys;
  if (r->causal) *last = smaller(*last, r->position + 1);
  const int64_t chunk = r->call->chunk;
  if (chunk > 0) {
    const int64_t begin = r->position / chunk * chunk;
    if (begin > *first) *first = begin;
    *last = smaller(*last, begin + chunk);
  }
  if (r->window_left >= 0 && r->position - r->window_left > *first)
    *first = r->position - r->window_left;
  if (r->window_right >= 0) *last = smaller(*last, r->position + r->window_right + 1);
}

static void answer(row* r) {
  int64_t first, last;
  reach(r, &first, &last);
  const int64_t global = smaller(r->call->global_keys, r->keys);
  start(r);
  visit(r, 0, global);
  visit(r, first > global ? first : global, last);
  write_answer(r);
}

MUTANT("kept-blocks-online", EVERY_FEATURE | PATTERNS | ATTEST_ALIBI, F32);
