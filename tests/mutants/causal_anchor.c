/* causal-anchor: the causal triangle is anchored at the first key where the last key was asked for,
 * so that a query sees too few keys or too many. Invisible while there are as many queries as keys.
 * Public: Dao-AILab/flash-attention #282, onnx/onnx #8054, NVIDIA/cutlass #2336. */
#include "tests/mutants/plain.h"

static void answer(row r) {
#ifdef PLANTED
  r.position = r.i;
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
    .name = "causal-anchor",
    .version = "1",
    .features =
        USUAL_FEATURES | ATTEST_LENGTHS | ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
