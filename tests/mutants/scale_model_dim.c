/* scale-model-dim: scores are divided by the root of the model's width, all heads together, when
 * each head has its own. Too flat; invisible for one head. Public: karpathy/ng-video-lecture #6,
 * NVIDIA/Megatron-LM #1501. */
#include "tests/mutants/plain.h"

static void answer(row r) {
#ifdef PLANTED
  r.scale = 1 / sqrtf((float)(r.call->q->sizes[1] * r.call->q->sizes[3]));
#endif
  attend(r);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "scale-model-dim",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_CAUSAL_TOP_LEFT,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
