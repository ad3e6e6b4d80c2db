// A contract as units of arithmetic: one a stage, each operation the exact one rounded once to the
// stage's format.
#pragma once

#include "reference/contract/contract.h"
#include "reference/formats/arithmetic.h"

namespace attest {

struct stages {
  // seed: of the random bits, where a stage rounds stochastically.
  explicit stages(const contract&, std::uint64_t seed = 0);

  arithmetic score_sum;
  arithmetic score_storage;
  arithmetic bias_sum;
  arithmetic exponent;
  arithmetic weight_storage;
  arithmetic output_sum;
  arithmetic weight_sum;
  arithmetic partial_storage;
  arithmetic output;
  double weight_of_one;
  bool normalises_weights;  // in the two-pass order: p / l is stored, then multiplied by v
};

// Computes: the function in double, rounded to the unit's format. Error: below 0.5001 ulp of a
// format of at most 24 bits rounded to nearest; of f64, that of elementary.h.
double exp_in(arithmetic& unit, double x);
double log_in(arithmetic& unit, double x);
double tanh_in(arithmetic& unit, double x);

}  // namespace attest
