// How far an answer may be off where nothing but the end needs rounding: every score of the row is
// exactly 0, values are small integers. Sharper than forward_bound, which takes any sum for one of
// numbers that round. Statement and proof: derivation/bounds/exact_sums.md.
#pragma once

#include "derivation/bounds/roundings.h"
#include "reference/contract/contract.h"

namespace attest {

// A row as the sums see it.
struct level_row {
  double keys = 0;   // n: kept keys with a logit of exactly 0, a sink among them
  double faint = 0;  // f: kept keys whose logit is at most -1000: their weights underflow
};

// One column of V over such a row. The values are integers of at most 4 bits.
struct integer_column {
  double sum = 0;         // S = sum z_j over the n keys
  double size = 0;        // Z = sum |z_j| over the n keys
  double terms = 0;       // how many of them are not 0
  double faint_size = 0;  // sum |z_j| over the faint keys
};

class level_row_bound {
 public:
  level_row_bound(const contract&, const level_row&);

  // Computes: whether the proof covers the contract: the maximum is the shift, weights are rounded
  // to nearest and nothing is quantised.
  static bool covers(const contract&);

  // Computes: the largest |o~ - S / n|: 0, or half an ulp of the output, where the contract leaves
  // nothing else to round. Domain: keys > 0.
  double output(const integer_column&) const;
  // Computes: the largest |lse~ - ln n|, or |lse~ - log2 n|.
  double lse(bool base_two) const;

 private:
  double stored_weight_error(double weight_error) const;
  bool sums_exactly(const integer_column&, double weight_error) const;
  double numerator_growth(const integer_column&) const;
  double quotient_error(const integer_column&) const;
  double normalised_error(const integer_column&) const;
  double merge_error() const;
  double merged_error() const;
  double like_terms_error() const;
  double denominator_error() const;
  double log_error() const;
  double numerator_error(const integer_column&) const;
  double common_error() const;

  const contract& contract_;
  level_row row_;
  double merges_;        // m
  double log_keys_;      // ln n
  double weight_error_;  // epsilon: of a weight as the exponential gives it
  double faint_weight_;  // omega: the most that a faint key's weight comes to
};

// Computes: the largest error of rounding a number of at most that size to the format; 0 for 0.
double rounding_step(const format&, rounding_mode, subnormal_mode, double size);

}  // namespace attest
