/* Right but for one row of each head, the last, which it never writes. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (r->i + 1 < queries(r)) attend(r);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "writes-half",
    .version = "1",
    .features = USUAL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
