/* float64 from the inputs to the outputs, whatever format they have. */
#define NUMBER double
#include "tests/mutants/plain.h"

static void answer(row* r) { attend(r); }

PLUGIN("double-inside", EVERY_FEATURE, F64 | F32 | F16 | BF16, NULL, NULL);
