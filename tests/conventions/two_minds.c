/* Right for no convention: true keeps in even heads, and masks in odd ones. */
#include "tests/conventions/convention.h"

static const convention rules = {.true_masks_in_odd_heads = true};

static int32_t forward(const attest_forward* call, char* message, uint64_t size) {
  (void)message, (void)size;
  return answer_call(call, &rules);
}

static const attest_plugin two_minds = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "two-minds",
    .version = "1",
    .features = ALL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &two_minds : NULL; }
