/* A plugin without subjects. */
#include <stddef.h>

#include "properties/attest_plugin.h"

const attest_plugin* attest_plugin_at(uint32_t index) {
  (void)index;
  return NULL;
}
