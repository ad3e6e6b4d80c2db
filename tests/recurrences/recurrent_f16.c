/* Position by position in float, from and to float16 and bfloat16. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) { recurrent_pass(h); }

RECURRENCE("recurrent_f16", EVERY_FEATURE, F16 | BF16, NULL);
