/* All positions at once: products of all queries and keys, and one triangular system for the delta
 * rule. */
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) { pass_in_chunks(h, h->positions, solve_by_rows); }

RECURRENCE("parallel", EVERY_FEATURE, F32, "float32");
