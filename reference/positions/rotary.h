// Rotary position embeddings: by how much a position turns each pair of coordinates of q and k.
// Sources: Su et al., arXiv:2104.09864 (the angles); Chen et al., arXiv:2306.15595 (linear
// scaling); "NTK-aware" scaling as in Peng et al., arXiv:2309.00071, section 3.1; the scaling by
// wavelength of Llama 3.1 (its model card's rope_scaling).
#pragma once

#include <cstdint>
#include <vector>

namespace attest {

enum class rotary_scaling : std::uint8_t {
  none,
  linear,         // every angle divided by the factor
  ntk_aware,      // the base grown such that the slowest pair turns the factor times slower
  by_wavelength,  // slow pairs divided by the factor, fast ones kept, those between mixed
};

struct rotary_angles {
  double base = 10000;
  rotary_scaling scaling = rotary_scaling::none;
  double factor = 1;  // at least 1
  // Of by_wavelength: pairs that turn more than high_turns times in so many positions are kept,
  // less than low_turns times divided.
  double trained_positions = 8192;
  double low_turns = 1, high_turns = 4;
};

// Computes: theta_t in radians a position, t < pairs: base^(-t / pairs), scaled.
// Error: some ulps of a double. The same bits on every machine.
std::vector<double> rotary_frequencies(const rotary_angles&, std::int64_t pairs);

}  // namespace attest
