/* Right, but to a contract about inputs that it does not take. */
#include "tests/mutants/plain.h"

static void answer(row* r) { attend(r); }

PLUGIN("contract-of-others", 0, F32, NULL, "fp16-flash");
