/* Right, but to two contracts about the same inputs. */
#include "tests/mutants/plain.h"

static void answer(row* r) { attend(r); }

PLUGIN("two-contracts", 0, F32, NULL, "float32,tf32");
