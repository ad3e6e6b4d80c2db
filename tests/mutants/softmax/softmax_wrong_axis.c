/* softmax-wrong-axis: weights are divided by their sum over the queries of a tile, not over the
 * keys. Public: PetrochukM/PyTorch-NLP #2, labmlai/annotated_deep_learning_paper_implementations
 * #146. */
#include "tests/mutants/plain.h"

enum { tile_of_queries = 16 };

/* exp(t) of this query over the sum of exp(t) of the queries of its tile, for one key. */
static number share_of_key(const row* r, int64_t j) {
  number sum = 0;
  row other = *r;
  const int64_t first = r->i / tile_of_queries * tile_of_queries;
  const int64_t last = smaller(first + tile_of_queries, queries(r));
  for (other.i = first; other.i < last; ++other.i) sum += exp(score(&other, j) - r->t[j]);
  return 1 / sum;
}

static void answer(row* r) {
  attend(r);
  if (!planted) return;
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) add_value(r, j, share_of_key(r, j));
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
}

MUTANT("softmax-wrong-axis", 0, F32);
