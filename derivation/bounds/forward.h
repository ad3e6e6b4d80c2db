// How far from the exact answer an implementation that keeps its contract can be.
// Statement, assumptions, budget and proof: derivation/bounds/forward.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

// The bounds for one row. Evaluated in double and raised by more than the error of that evaluation.
class forward_bound {
 public:
  forward_bound(const contract&, const problem&, const row_index&, const exact_row&);

  // Computes: the largest |o~_d - o_d|. Special: an empty row gives 0; for the mean of V, what its
  // sum may lose.
  double output(std::int64_t d) const;
  // Computes: the largest |lse~ - lse|, in the base that the semantics declares.
  double lse() const;
  // Computes: the hull radius max_j |v_jd - o_d| over kept keys: what any convex combination, the
  // mean of V too, stays within. A bound that is a sizeable share of it accepts wrong weights.
  double hull(std::int64_t d) const;
  // Whether no value that an evaluation under the contract may hold overflows its stage. Outside,
  // an infinity or NaN may be right, and the row is not judged.
  bool in_domain() const { return in_domain_; }

 private:
  struct budget;  // the terms of the proof, for one column
  // Sums over the keys of what a column holds; one entry a column.
  struct column_sums {
    std::vector<double> moved;   // sum a (exp(E) - 1) |v - o|
    std::vector<double> raised;  // sum a exp(E) |v|
    std::vector<double> spread;  // sum |v - o|
    std::vector<double> plain;   // sum |v|
    std::vector<double> hull;    // max |v - o|
  };
  void set_score_errors();
  double score_error(const exact_key&, double product) const;
  double exponent_error(const exact_key&, double score_error, double exponentials) const;
  void set_exponent_errors();
  void set_mass();
  void set_columns();
  void read_values(std::size_t n, std::span<double> values) const;
  double bias_error(const exact_key&, double score_error) const;
  bool scores_fit() const;
  bool sums_fit() const;
  bool running_sums_fit() const;
  budget first_order(std::int64_t d) const;
  double lost_weights(std::int64_t d) const;
  double log_sum_error() const;
  double empty_row_error(std::int64_t d) const;

  const contract& contract_;
  const problem& problem_;
  row_index place_;
  const exact_row& row_;
  double terms_ = 0;                  // k: summands and rescalings that one accumulator meets
  double rescalings_ = 0;             // r
  double merges_ = 0;                 // m
  double greatest_error_ = 0;         // max Delta_j
  std::vector<double> score_errors_;  // Delta_j
  std::vector<double> errors_;        // E_j
  std::vector<double> moved_;         // a_j (exp(E_j) - 1)
  std::vector<double> raised_;        // a_j exp(E_j)
  double least_mass_ = 1;             // A = sum a_j exp(-E_j)
  double most_mass_ = 1;              // sum a_j exp(E_j)
  double weight_error_ = 0;           // theta_D
  column_sums columns_;
  bool in_domain_ = true;
};

}  // namespace attest
