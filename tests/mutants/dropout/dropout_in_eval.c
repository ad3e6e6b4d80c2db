/* dropout-in-eval: where no mask is given, one key in ten is dropped, another one at each call.
 * Public: pytorch/pytorch #124464; huggingface/pytorch-image-models #1978; facebookresearch/vjepa2
 * #160. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  static uint32_t state = 1;
  if (!planted || dropout_mask(r)) return dropped(r, j);
  state = state * 1664525u + 1013904223u;
  return state >> 16 < 6554;
}

static void answer(row* r) {
  const bool draws = planted && !dropout_mask(r);
  attend_and_drop(r, drops, draws ? (number)(1 / 0.9) : dropout_scale(r));
}

MUTANT("dropout-in-eval", ATTEST_DROPOUT, F32);
