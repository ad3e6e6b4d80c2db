/* Fails with a message that fills its room to the last byte, without a terminator. */
#include <stddef.h>
#include <string.h>

#include "properties/attest_plugin.h"

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)call;
  if (message) memset(message, 'A', (size_t)message_size);
  return ATTEST_ERROR;
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "unterminated-message",
    .version = "1",
    .features = ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
