/* Right, but to a contract about inputs that it does not take. */
#include "tests/mutants/plain.h"

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, attend);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "contract-of-others",
    .version = "1",
    .features = USUAL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .contract = "fp16-flash",
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
