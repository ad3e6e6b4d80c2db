// The processor's own conversion between f32 and f16 (x86-64, F16C).
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/formats/rounding.h"

namespace attest {

bool has_f16c();

// Computes: the f16 patterns of count floats. Domain: has_f16c(); count a multiple of 8; a
// deterministic mode.
void f16c_convert(const float* from, std::uint16_t* to, std::size_t count, rounding_mode);

}  // namespace attest
