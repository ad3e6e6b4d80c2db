// What the terms of gradients that one row gives may be off by: steps 1 to 5 of
// derivation/bounds/gradient.md.
#pragma once

#include <vector>

#include "derivation/bounds/forward.h"
#include "reference/definition/gradient.h"

namespace attest {

// What the o and the lse of a row that a backward pass is given may be off by.
struct saved_error {
  std::vector<double> o;  // B_o
  double lse = 0;         // B_l, in the base that the semantics declares
};

// Computes: the same where the subject's own forward made them, under its contract.
saved_error saved_by_forward(const problem&, const exact_row&, const forward_bound&);
// Computes: the same where they are the exact ones, rounded to nearest.
saved_error saved_by_rounding(const contract&, const exact_row&);

// What a kept key, or the sink, adds to the gradients: exact numbers and what they may be off by.
struct key_gradient {
  std::int64_t key = 0;      // as in exact_key
  double factor = 0;         // f, of do in dv
  double product = 0;        // x
  double terms = 0;          // X
  double held = 0;           // s sum |do v|, of a dropped key too
  double product_error = 0;  // xi
  double weight = 0;         // a
  double lse_weight = 0;     // b
  double vanished = 0;       // nu
  double weight_log = 0;     // rho
  double lse_log = 0;        // rho' of b
  double weight_error = 0;   // a expm1(rho) + nu
  double weight_size = 0;    // a exp(rho) + nu
  double uncancelled = 0;    // a (|x| + |D|) + |lambda| b: the size of s but for what cancels
  double logit = 0;          // s
  double logit_error = 0;    // e
  double score = 0;          // r
  double score_error = 0;    // e'
};

class row_gradient {
 public:
  // Domain: gradient_bound::covers, and the row has keys. Special: outside of the domain of the
  // forward, or where a stage may overflow, errors are infinite.
  row_gradient(const contract&, const problem&, const row_index&, const exact_row&,
               const cotangents&, const saved_error&);

  // Those that may add something, in the order of exact_row.
  const std::vector<key_gradient>& keys() const { return keys_; }
  // Computes: do_d.
  double cotangent(std::int64_t d) const { return d_output_[static_cast<std::size_t>(d)]; }

 private:
  void read_cotangents(const cotangents&);
  double held_product(std::int64_t key) const;
  void set_products();
  void set_product(std::size_t n, key_gradient&) const;
  double held_below_doubles(std::size_t n) const;
  void set_weights();
  double natural(double lse) const;
  double lse_of_all_error() const;
  double from_lse(std::size_t n, double lse, double lse_error) const;
  double once_more(std::size_t n) const;
  void set_vanished();
  void set_lse_weights();
  double mean_from_output() const;
  double mean_from_row() const;
  void set_mean();
  void set_logit_gradient(key_gradient&) const;
  void set_score_gradient(std::size_t n, key_gradient&) const;
  bool fits(const key_gradient&) const;
  bool stages_hold() const;
  void spoil();

  const contract& contract_;
  const problem& problem_;
  row_index place_;
  const exact_row& row_;
  const saved_error& saved_;
  forward_bound forward_;
  dropout_error dropout_;
  bool apart_;  // whether the lse leaves out the sink
  std::vector<double> d_output_;
  bool has_d_lse_ = false;
  double d_lse_ = 0;            // lambda
  double mean_ = 0;             // D
  double mean_terms_ = 0;       // sum a X
  double mean_error_ = 0;       // delta
  double logarithm_error_ = 0;  // L
  std::vector<key_gradient> keys_;
};

}  // namespace attest
