// Sinusoidal position embeddings. Source: Vaswani et al., arXiv:1706.03762, section 3.5.
#pragma once

#include <cstdint>

namespace attest {

// Computes: sin(position / 10000^(2 i / width)) for column 2 i, cos of the same for column 2 i + 1.
// Domain: position <= 2^20. Error: some ulps of a double. The same bits on every machine.
double sinusoidal_embedding(std::int64_t position, std::int64_t column, std::int64_t width);

}  // namespace attest
