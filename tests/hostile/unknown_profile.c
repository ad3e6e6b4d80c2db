/* Right, but under semantics that attest has never heard of. */
#include "tests/mutants/plain.h"

static void answer(row* r) { attend(r); }

PLUGIN("unknown-profile", 0, F32, "no-such-profile", NULL);
