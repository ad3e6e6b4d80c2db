/* masked-v-nan: the last tile is multiplied with v as a whole. The keys beyond the length have
 * weight 0 there, but what lies in their slots of v may be NaN, and 0 * NaN is NaN. Public:
 * Dao-AILab/flash-attention #1745, #2374, vllm-project/vllm #936. */
#include "tests/mutants/plain.h"

enum { tile_size = 16 };

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Adds p v for the keys of the tile that begins at `first`. */
static void add_tile(row r, int64_t first, float m, float* l) {
#ifdef PLANTED
  const int64_t last = smaller(first + tile_size, r.call->v->sizes[2]);
#else
  const int64_t last = smaller(first + tile_size, r.keys);
#endif
  for (int64_t j = first; j < last; ++j) {
    const float p = kept(r, j) ? expf(score(r, j) - m) : 0;
    *l += p;
    add_value(r, j, p);
  }
}

static void answer(row r) {
  const float m = greatest_score(r, 0, r.keys, -INFINITY);
  float l = 0;
  set_output(r, 0);
  for (int64_t first = 0; first < r.keys; first += tile_size) add_tile(r, first, m, &l);
  divide_output(r, l);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  return each_float32_row(call, answer);
}

static const attest_plugin plugin = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "masked-v-nan",
    .version = "1",
    .features = USUAL_FEATURES | ATTEST_LENGTHS | ATTEST_MASK,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }
