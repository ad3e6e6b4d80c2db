// The rigorous competitor: attention on Arb's balls.
#pragma once

#include <Eigen/Core>

namespace attest::bench {

// Computes: softmax(q k^T / sqrt(D)) v of one head in balls of 128 bits, with Arb's dot product for
// both
//   matrix products, and the sum of all outputs, for random inputs of these sizes. n: queries and
//   keys.
// Result: every output is a proved enclosure, like those of certify().
double run_arb_128_bits(Eigen::Index n, Eigen::Index width);

}  // namespace attest::bench
