/* sentinel-max-init: the running maximum starts at a finite number. When every score of a row lies
 * far below it, all exponentials underflow, and the guard for empty rows makes the answer 0.
 * Public: flashinfer-ai/flashinfer #4267, #4450, #4401. */
#include "tests/mutants/plain.h"

enum { tile_size = 16 };

#ifdef PLANTED
static const float before_any_score = -5e4f;
#else
static const float before_any_score = -INFINITY;
#endif

static void visit_tile(row r, int64_t first, float* m, float* l) {
  const int64_t last = first + tile_size < r.keys ? first + tile_size : r.keys;
  const float raised = greatest_score(r, first, last, *m);
  const float rescale = raised == *m ? 1 : expf(*m - raised);
  *m = raised;
  *l *= rescale;
  scale_output(r, rescale);
  for (int64_t j = first; j < last; ++j) {
    if (!kept(r, j)) continue;
    const float p = expf(score(r, j) - raised);
    *l += p;
    add_value(r, j, p);
  }
}

static void answer(row r) {
  float m = before_any_score, l = 0;
  set_output(r, 0);
  for (int64_t first = 0; first < r.keys; first += tile_size) visit_tile(r, first, &m, &l);
  divide_output(r, l);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "sentinel-max-init",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_SCALE,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
