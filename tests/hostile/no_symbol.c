/* A library that is no plugin: attest_plugin_at is missing. */
#include "properties/attest_plugin.h"

ATTEST_EXPORT uint32_t attest_plugin_count(void);

uint32_t attest_plugin_count(void) { return 1; }
