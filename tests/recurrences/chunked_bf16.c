/* Chunks of 64 of bfloat16: what passes from one product to the next is rounded to it, states are
 * held in float. */
#include "tests/mutants/number_types.h"

#define STORED(x) ((number)rounded(bf16, (double)(x)))
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) { pass_in_chunks(h, 64, solve_by_inverse); }

RECURRENCE("chunked_bf16", EVERY_FEATURE, BF16, "bf16-flash");
