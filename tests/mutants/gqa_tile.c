/* gqa-tile: query head h is served by KV head h mod Hkv, when neighbouring query heads share one.
 * Invisible for Hkv = 1 and for Hkv = Hq. Public: onnx/onnx #7274, apple/axlearn #842. */
#include "tests/mutants/plain.h"

static void answer(row r) {
#ifdef PLANTED
  r.g = r.h % r.call->k->sizes[1];
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
    .name = "gqa-tile",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_GROUPED_HEADS,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
