/* Right, but to a contract that attest has never heard of. */
#include "tests/mutants/plain.h"

static void answer(row* r) { attend(r); }

PLUGIN("unknown-contract", 0, F32, NULL, "no-such-contract");
