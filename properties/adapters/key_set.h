// Which keys each query keeps, for libraries that take every rule as one mask, as models do that
// call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/attest_plugin.h"

namespace attest_adapter {

// Result: the number of keys of batch row b that are valid.
std::int64_t valid_keys(const attest_forward&, std::int64_t b);

// Whether lengths, causal and window keep key j for query i of batch row b.
bool in_band(const attest_forward&, std::int64_t b, std::int64_t i, std::int64_t j);

// Whether a call says anything about keys beyond "all of them".
bool restricts_keys(const attest_forward&);

// Result: [B, Hq, Lq, Lk], 1 where lengths, causal, window and mask keep the key, else 0.
std::vector<std::uint8_t> kept_keys(const attest_forward&);

// Domain: a bias of f32, f16 or bf16. Result: [B, Hq, Lq, Lk], the bias (0 where there is none),
// and -infinity where the key is not kept.
std::vector<float> additive_mask(const attest_forward&);

// Domain: k or v. Result: its elements, each as its bits, with 0 where no key is: as a cache that
// was cleared, for libraries that read there and mask afterwards.
std::vector<std::byte> cleared_bits(const attest_forward&, const attest_tensor&);

}  // namespace attest_adapter
