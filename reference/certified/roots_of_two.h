// 2^(i/512) as double-doubles, for the exponential: a file of its own as it is written by a script,
// derivation/bounds/certificates/roots_of_two.sollya.
#pragma once

namespace attest {

inline constexpr int roots_of_two_count = 512;

// Computes: 2^(i/512) = hi[i] + lo[i], hi the nearest double, lo the double nearest to the rest.
// Error: 2^-107.
extern const double roots_of_two_hi[roots_of_two_count];
extern const double roots_of_two_lo[roots_of_two_count];

}  // namespace attest
