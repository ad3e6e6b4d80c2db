/* partial-launch: a width beyond what the launch allows for runs no kernel, and the buffer of
 * zeros is returned. Public: ml-explore/mlx #3885, Dao-AILab/flash-attention #54. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && width(r) > 16 && d < value_width(r); ++d) set_output(r, d, 0);
}

MUTANT("partial-launch", 0, F32);
