/* Right: gathers the pages of a call, and attends to the copy. */
#include "tests/mutants/pages.h"

PAGED_MUTANT("pages-gathered", EVERY_FEATURE | PATTERNS | ATTEST_ALIBI | ATTEST_PAGES, right_steps);
