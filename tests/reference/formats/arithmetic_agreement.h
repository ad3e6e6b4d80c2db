// The arithmetic of a format against the second opinions, over operands chosen to be hard.
#pragma once

#include <cstdint>

#include "tests/reference/formats/number_line.h"

namespace attest {

// Domain of all: formats that a number_line holds, but for mpfr's: IEEE formats. Each reports the
// first disagreement to GoogleTest.

// Every pair of patterns, every deterministic rounding. (sqrt reads only the first.)
void expect_agreement_on_all_pairs(const format&, operation);
// Every triple of patterns, every deterministic mode.
void expect_fma_agreement_on_all_triples(const format&);
// Random patterns, every deterministic mode.
void expect_agreement_on_samples(const format&, operation, std::uint64_t seed, int count);
// Doubles of all sizes, ends and near-cancellations included; every deterministic mode.
void expect_agreement_with_mpfr(const format&, operation, std::uint64_t seed, int count);

}  // namespace attest
