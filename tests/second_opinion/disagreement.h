// Whether the certified reference and the second opinion can both be right.
#pragma once

#include <optional>
#include <string>

#include "reference/certified/certified.h"
#include "tests/second_opinion/arb_attention.h"

namespace attest::second_opinion {

// How much narrower than an enclosure the ball must be that judges it, and of what part of the
// value where the enclosure claims to be exact.
inline constexpr long bits_below_the_radius = 40;
inline constexpr long bits_of_an_exact_value = 130;

// A magnitude is at least sum a|v|. It may exceed that by this part of it, by twice the radius of
// the output, which may be too uncertain of the small weights to say more, and by what underflows:
// a smallest double for each key and its value.
inline constexpr double magnitude_excess = 0x1p-29;
inline constexpr double magnitude_floor = 0x1p-1060;

// Computes: the first element of o, lse, weights and magnitudes (the last two where the answer has
//   them) that contradicts the second opinion, and both numbers; nothing where all agree.
// Result: an enclosure agrees when a ball that is 2^-40 times as wide meets it: then it holds the
// exact
//   value, or misses it by less than that. Precision is doubled until the balls are so narrow; a
//   row for which that never happens disagrees.
// Special: NaN and infinities agree with their like only; what the semantics leaves unspecified is
// not
//   compared, nor is the magnitude of an empty row, which has no weights.
std::optional<std::string> disagreement(const problem&, const certified_answer&);

}  // namespace attest::second_opinion
