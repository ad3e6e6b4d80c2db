// The weights of sparsemax and entmax by bisection with 100 digits: another way to them.
#pragma once

#include <string>
#include <vector>

#include "reference/multiprecision/interval.h"

namespace attest {

// A row of logits, drawn with ties and gaps of every size, and an alpha: 1.5 and 2 now and then.
struct drawn_logits {
  std::vector<double> logits;
  double alpha = 0;
};

drawn_logits draw_logits(std::uint64_t seed, std::uint64_t number);

// Result: what is wrong with the enclosures of sparsemax, entmax_1_5 and alpha_entmax of these
// logits; empty where each encloses what bisection finds and is 2^-110 wide at most (roots double
// what a logit leaves open).
std::string disagreement_with_bisection(const drawn_logits&);

// The same for enclosures that are given, of the weights [(alpha - 1) t - tau]_+^(1 / (alpha - 1)).
std::string disagreement_with_bisection(const drawn_logits&, const std::vector<interval>& weights);

}  // namespace attest
