/* Answers with what it can see of how it is called, in the first elements of o. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "properties/attest_plugin.h"

/* A byte of the page on which k begins or ends, outside of it; -1 where k fills its pages. */
static float beside_k(const attest_tensor* k) {
  const unsigned char* const first = k->data;
  const unsigned char* const end = first + 4 * k->sizes[0] * k->strides[0]; /* it is dense */
  if ((uintptr_t)first % 4096 != 0) return first[-1];
  return (uintptr_t)end % 4096 != 0 ? *end : -1.0f;
}

static float mib_of_data(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_DATA, &limit) == 0 ? (float)(limit.rlim_cur >> 20) : -1.0f;
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  const uintptr_t q = (uintptr_t)call->q->data, k = (uintptr_t)call->k->data;
  const char* const threads = getenv("OMP_NUM_THREADS");
  unsigned char* volatile fresh = malloc(100); /* volatile: the compiler knows nothing of it */
  float* const o = call->o->data;
  int64_t elements = 1;
  for (int axis = 0; axis < 4; ++axis) elements *= call->o->sizes[axis];
  for (int64_t n = 0; n < elements; ++n) o[n] = 0;
  o[0] = (float)(q % 4096);
  o[1] = (float)(q / 4096 % 16777216);
  o[2] = (float)(k % 4096);
  o[3] = threads == NULL ? 0 : (float)atoi(threads);
  o[4] = fresh == NULL ? 0 : fresh[50];
  free(fresh);
  o[5] = beside_k(call->k);
  o[6] = mib_of_data();
  return ATTEST_OK;
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "shows-its-call",
    .version = "1",
    .features = ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
