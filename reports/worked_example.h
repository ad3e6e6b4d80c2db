// Attention on numbers that can be followed by hand.
#pragma once

#include <iosfwd>

namespace attest {

// Writes scores, weights and output of 4 tokens of width 2 under a causal mask, each computed by
// the definition. The scale is 1 and the scores are logarithms of small integers, so that every
// weight is a fraction that shows.
void write_worked_example(std::ostream&);

}  // namespace attest
