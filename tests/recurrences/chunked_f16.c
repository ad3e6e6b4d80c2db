/* Chunks of 16 of float16, likewise. */
#include "tests/mutants/number_types.h"

#define STORED(x) ((number)rounded(f16, (double)(x)))
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) { pass_in_chunks(h, 16, solve_by_inverse); }

RECURRENCE("chunked_f16", EVERY_FEATURE, F16, NULL);
