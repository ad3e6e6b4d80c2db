/* empty-row-mean-v: a removed key gets a large negative score. In a row where every key is removed
 * the softmax doesn't see that: all scores are equal, and the answer is the mean of v instead of 0.
 * Public: microsoft/onnxruntime #28958. */
#include "tests/mutants/plain.h"

static const float removed = -1e30f;

static float score_or_removed(row r, int64_t j) { return kept(r, j) ? score(r, j) : removed; }

static void answer(row r) {
  float m = -INFINITY, l = 0;
  set_output(r, 0);
  for (int64_t j = 0; j < r.keys; ++j) m = fmaxf(m, score_or_removed(r, j));
#ifndef PLANTED
  if (m == removed) return;
#endif
  for (int64_t j = 0; j < r.keys; ++j) {
    const float p = expf(score_or_removed(r, j) - m);
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
    .name = "empty-row-mean-v",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_MASK | ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
