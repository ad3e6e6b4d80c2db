/* Chunks of 32, the delta rule by the inverse of each chunk's triangle (the WY form). */
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) { pass_in_chunks(h, 32, solve_by_inverse); }

RECURRENCE("chunked", EVERY_FEATURE, F32, NULL);
