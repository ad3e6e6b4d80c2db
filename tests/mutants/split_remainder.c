/* split-remainder: the keys are divided among four splits and the remainder of that division is
 * dropped. Public: tile-ai/tilelang #2010. */
#include "tests/mutants/plain.h"

enum { splits = 4 };

/* Split s has the keys [first, last), their greatest score m and its sum l of exp(t - m). */
typedef struct split {
  int64_t first, last;
  float m, l;
} split;

static split split_of(row r, int64_t s) {
#ifdef PLANTED
  const int64_t share = r.keys / splits;
#else
  const int64_t share = (r.keys + splits - 1) / splits;
#endif
  split part = {s * share, (s + 1) * share, -INFINITY, 0};
  if (part.last > r.keys) part.last = r.keys;
  part.m = greatest_score(r, part.first, part.last, -INFINITY);
  for (int64_t j = part.first; j < part.last; ++j)
    if (kept(r, j)) part.l += expf(score(r, j) - part.m);
  return part;
}

/* Adds the share of one split; factor = exp(its maximum - the greatest of all). */
static void add_split(row r, split part, float factor) {
  for (int64_t j = part.first; j < part.last; ++j)
    if (kept(r, j)) add_value(r, j, factor * expf(score(r, j) - part.m));
}

static void answer(row r) {
  split parts[splits];
  float m = -INFINITY, l = 0;
  set_output(r, 0);
  for (int64_t s = 0; s < splits; ++s) {
    parts[s] = split_of(r, s);
    m = fmaxf(m, parts[s].m);
  }
  for (int64_t s = 0; s < splits; ++s) {
    if (parts[s].l == 0) continue; /* nothing kept: -inf - -inf must not be formed */
    const float factor = expf(parts[s].m - m);
    l += factor * parts[s].l;
    add_split(r, parts[s], factor);
  }
  divide_output(r, l);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "split-remainder",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_CAUSAL_BOTTOM_RIGHT,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
