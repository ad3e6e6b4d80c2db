/* Right at every other call. At those between, each output is off by more than any tolerance
 * allows. */
#include "tests/mutants/plain.h"

static void answer_off(row* r) {
  attend(r);
  for (int64_t d = 0; d < value_width(r); ++d) {
    const number right = read(r->o, r->b, r->h, r->i, d);
    set_output(r, d, right + 1 + fabs(right));
  }
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  static unsigned calls = 0;
  (void)message, (void)message_size;
  return each_float32_row(call, calls++ % 2 == 0 ? attend : answer_off);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "nondeterministic",
    .version = "1",
    .features = USUAL_FEATURES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
