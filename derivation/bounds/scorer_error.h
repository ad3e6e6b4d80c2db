// What the score of another scorer than a product of q and k may be off by.
// Statement and proof: derivation/bounds/members.md#scores.
#pragma once

#include <vector>

#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

struct scorer_error {
  double error = 0;    // of the scaled score as it is held, before cap and bias
  double largest = 0;  // the size of the largest number that is held on the way; infinite where a
                       // norm is too small to be divided by
};

// The scores of one row. quantum: what quantisation moves a small number by; 0 where there is none.
class scorer_errors {
 public:
  scorer_errors(const contract&, const problem&, const row_index&, double scale, double q_quantum);

  scorer_error of_key(const exact_key&, double k_quantum) const;

 private:
  struct layer {
    double value = 0;  // of W [q; k] + b
    double size = 0;   // |W| [|q|; |k|] + |b|
    double error = 0;
  };
  double parameter(std::size_t n, std::int64_t r, std::int64_t c) const;
  double sum_error(double terms) const;
  layer linear(std::int64_t unit, const std::vector<double>& k, double k_quantum) const;
  double tanh_error(const layer&) const;
  scorer_error hidden(const std::vector<double>& k, double k_quantum) const;
  scorer_error general(const exact_key&, const std::vector<double>& k, double k_quantum) const;
  scorer_error cosine(const std::vector<double>& k, double k_quantum) const;
  scorer_error rotary(const exact_key&, const std::vector<double>& k, double k_quantum) const;
  // A feature of a vector, and what it may be off by.
  struct feature {
    double value = 0;
    double error = 0;
  };
  feature of_coordinate(double x, double quantum) const;
  feature of_exponential(std::int64_t unit, const std::vector<double>& x, double quantum) const;
  scorer_error features(const std::vector<double>& k, double k_quantum) const;

  const contract& contract_;
  const problem& problem_;
  row_index place_;
  double scale_, q_quantum_;
  std::vector<double> q_;
  double unit_, stored_, conversions_, underflow_;
};

}  // namespace attest
