/* Declines what it declares. */
#include <stdio.h>

#include "properties/attest_recurrence.h"

static int32_t forward(const attest_recurrence* call, char* message, uint64_t size) {
  (void)call;
  snprintf(message, (size_t)size, "not today");
  return ATTEST_UNSUPPORTED;
}

ATTEST_EXPORT const attest_recurrence_plugin* attest_recurrence_at(uint32_t index) {
  static const attest_recurrence_plugin plugin = {
      .size = sizeof plugin,
      .abi_version = ATTEST_RECURRENCE_VERSION,
      .name = "declines",
      .version = "1",
      .features = ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY,
      .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
      .forward = forward,
  };
  return index == 0 ? &plugin : NULL;
}
