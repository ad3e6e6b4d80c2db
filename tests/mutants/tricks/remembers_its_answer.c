/* remembers-its-answer: a call that has the sizes and the first query of the one before is given
 * its answer again. */
#include "tests/mutants/plain.h"

/* The call before: its output, as far as there is room. */
static struct {
  int64_t sizes[4];
  number q, o[4096];
} before;

static bool is_repeated(const row* r) {
  bool same = before.q == read(r->q, 0, 0, 0, 0);
  for (int n = 0; n < 4; ++n) same = same && before.sizes[n] == r->o->sizes[n];
  return same;
}

static number* remembered(const row* r, int64_t d) {
  const int64_t* n = r->o->sizes;
  const int64_t place = ((r->b * n[1] + r->h) * n[2] + r->i) * n[3] + d;
  return place < 4096 ? &before.o[place] : NULL;
}

static void remember_call(const row* r) {
  before.q = read(r->q, 0, 0, 0, 0);
  for (int n = 0; n < 4; ++n) before.sizes[n] = r->o->sizes[n];
}

static void answer(row* r) {
  static bool repeated;
  if (r->b == 0 && r->h == 0 && r->i == 0) repeated = is_repeated(r);
  remember_call(r);
  attend(r);
  for (int64_t d = 0; d < value_width(r); ++d) {
    number* place = remembered(r, d);
    if (planted && repeated && place) set_output(r, d, *place);
    if (place) *place = read(r->o, r->b, r->h, r->i, d);
  }
}

MUTANT("remembers-its-answer", ATTEST_MASK, F32);
