// Lets an exception cross the C interface that derives from nothing.
#include <cstdint>

#include "properties/attest_plugin.h"

namespace {

std::int32_t forward(const attest_forward*, char*, std::uint64_t) { throw 42; }

const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "throws-int",
    .version = "1",
    .features = ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .profile = nullptr,
    .contract = nullptr,
    .forward = forward,
    .backward = nullptr,
};

}  // namespace

const attest_plugin* attest_plugin_at(std::uint32_t index) {
  return index == 0 ? &plugin : nullptr;
}
