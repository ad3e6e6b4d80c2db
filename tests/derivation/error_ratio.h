// Error over bound: what the tests of a bound measure.
#pragma once

#include <string>

#include "derivation/bounds/forward.h"

namespace attest {

// The largest error / bound that was met, and where.
struct worst_ratio {
  double ratio = 0;
  std::string where;
  std::int64_t rows = 0;       // that were judged
  std::int64_t outside = 0;    // that were out of domain
  std::int64_t undecided = 0;  // elements whose bound is more than a quarter of the hull

  void meet(double other, const std::string& place);
};

// One row of an answer against the bound. Empty and out-of-domain rows are only counted.
struct judged_row {
  const contract& keeps;
  const problem& p;
  const row_index& place;
  const exact_row& exact;
};
void measure_output(const judged_row&, const tensor& o, const std::string& label, worst_ratio&);
void measure_lse(const judged_row&, const tensor& lse, const std::string& label, worst_ratio&);

}  // namespace attest
