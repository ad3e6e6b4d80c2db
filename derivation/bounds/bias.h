// How far the mean of many errors may be from 0, where roundings to nearest should average out.
// Model and proof: derivation/bounds/bias.md.
#pragma once

#include "derivation/bounds/forward.h"
#include "reference/contract/contract.h"

namespace attest {

// Whether the mean says something under the contract: output and stored weights are rounded to
// nearest from a wider format, p / l is not stored, and what the exponential may be off by is small
// beside an ulp of the output.
bool errors_average_out_under(const contract&);

// Result: the contract without the two roundings that average out, that of the output and that of
// the stored weights: forward_bound of it is what may push all errors of a row to one side.
contract without_averaging_roundings(const contract&);

// The errors of outputs of a size in [1, 2), in ulps, added up over rows.
class mean_error_bound {
 public:
  explicit mean_error_bound(const contract&);

  // Counts the outputs of one row. one_sided: the sum of forward_bound under
  // without_averaging_roundings() over them.
  void add_row(const exact_row&, double one_sided);
  std::int64_t outputs() const { return outputs_; }
  // Computes: the distance in ulps of the output within which the mean error is, but for a
  // probability of at most false_alarm.
  double ulps(double false_alarm) const;

 private:
  const contract& contract_;
  double ulp_;
  std::int64_t outputs_ = 0;
  double one_sided_ = 0;  // sum of what may not average out
  double squares_ = 0;    // sum of the squares of the largest independent errors
};

// Computes: the spacing of the numbers of a format in [1, 2).
double ulp_of_one(const format&);

}  // namespace attest
