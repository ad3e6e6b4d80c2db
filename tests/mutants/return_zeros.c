/* return-zeros: the answer is 0 everywhere. An absolute tolerance lets it pass on long rows, whose
 * answers are small. Public: ScalingIntelligence/KernelBench #165. */
#include "tests/mutants/plain.h"

static void answer(row r) {
#ifdef PLANTED
  set_output(r, 0);
#else
  attend(r);
#endif
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "return-zeros",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_MASK | ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT |
                ATTEST_GROUPED_HEADS | ATTEST_SCALE,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
