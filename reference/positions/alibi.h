// The slopes of ALiBi. Source: Press et al., arXiv:2108.12409, section 3, and their published code
// for numbers of heads that are no power of two.
#pragma once

#include <cstdint>
#include <vector>

namespace attest {

enum class slope_rule : std::uint8_t {
  geometric,    // 2^(-8 (h + 1) / H) for every H
  interleaved,  // the same where H is a power of two; else those of the power below H, then every
                // other one of those of the power above
};

// Computes: the slope of each of so many heads. Error: some ulps of a double, none where the slope
// is a power of two. The same bits on every machine.
std::vector<double> alibi_slopes(slope_rule, std::int64_t heads);

}  // namespace attest
