// Our f32-to-f16 conversion against the processor's.
#pragma once

#include <cstdint>

#include "reference/formats/rounding.h"

namespace attest {

// Every stride-th of all 2^32 floats, from first. Reports the first disagreement to GoogleTest;
// skips the test where the processor has no such conversion.
void expect_agreement_with_f16c(rounding_mode, std::uint64_t first, std::uint64_t stride);

}  // namespace attest
