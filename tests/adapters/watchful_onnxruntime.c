/* Stands in for libonnxruntime.so.1: it tells by its exit code whether it was loaded with its
 * telemetry on. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { telemetry_is_on = 99, telemetry_is_off = 98 };

__attribute__((constructor)) static void look(void) {
  const char* disabled = getenv("ORT_DISABLE_TELEMETRY");
  _exit(disabled != NULL && strcmp(disabled, "1") == 0 ? telemetry_is_off : telemetry_is_on);
}
