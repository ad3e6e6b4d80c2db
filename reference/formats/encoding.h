// The bits of a format's numbers.
#pragma once

#include <cstdint>

#include "reference/formats/format.h"

namespace attest {

// Computes: the bits of a value of the format.
// Domain: value is a number of the format, an infinity or NaN.
// Special: NaN gives the canonical quiet NaN (e4m3fn: 0x7f), keeping neither sign nor payload.
//   So does an infinity that the format lacks.
std::uint64_t encode(const format&, double value);

// Computes: the value of the low storage_bits bits, exactly. tf32 ignores the lowest 13.
double decode(const format&, std::uint64_t bits);

}  // namespace attest
