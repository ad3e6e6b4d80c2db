// The --seed option: a number, or "random", which draws one (it is printed with the results).
#pragma once

#include <cstdint>
#include <string>

namespace attest {

// Error: input_error for anything but a whole number from 0 to 2^64 - 1 or "random".
std::uint64_t parse_seed(const std::string& text);

}  // namespace attest
