/* Answers rightly, then zeroes q: a reference that ran on the same memory afterwards would agree
 * with anything. Public: ScalingIntelligence/KernelBench #82. */
#include "tests/mutants/plain.h"

static void zero_query(row* r) {
  for (int64_t n = 0; n < width(r); ++n) write(r->q, r->b, r->h, r->i, n, 0);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  const int32_t status = each_float32_row(call, attend);
  return status == ATTEST_OK ? each_float32_row(call, zero_query) : status;
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "writes-inputs",
    .version = "1",
    .features = USUAL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
