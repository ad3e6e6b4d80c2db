/* Leaves it to probes to find its conventions. */
#include "tests/conventions/convention.h"

static const convention rules = {.tile = true, .true_masks = true};

static int32_t forward(const attest_forward* call, char* message, uint64_t size) {
  (void)message, (void)size;
  return answer_call(call, &rules);
}

static const attest_plugin undeclared = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "undeclared",
    .version = "1",
    .features = ALL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .profile = "identify",
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &undeclared : NULL; }
