/* A subject without a function to call. */
#include <stddef.h>

#include "properties/attest_plugin.h"

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "null-forward",
    .version = "1",
    .features = ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = NULL,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
