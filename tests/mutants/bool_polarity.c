/* bool-polarity: the mask is read as the keys to remove, when it names the keys to keep.
 * Public: lucidrains/x-transformers #160, pytorch/pytorch #170415. */
#include "tests/mutants/plain.h"

static bool seen(row r, int64_t j) {
#ifdef PLANTED
  return !r.call->mask || masked(r, j);
#else
  return !masked(r, j);
#endif
}

static void answer(row r) {
  float m = -INFINITY, l = 0;
  set_output(r, 0);
  for (int64_t j = 0; j < r.keys; ++j)
    if (seen(r, j)) m = fmaxf(m, score(r, j));
  for (int64_t j = 0; j < r.keys; ++j) {
    if (!seen(r, j)) continue;
    const float p = expf(score(r, j) - m);
    l += p;
    add_value(r, j, p);
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
    .name = "bool-polarity",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_MASK,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
