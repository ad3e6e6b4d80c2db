// How far from the exact answer an implementation that keeps its contract can be.
// Statement, assumptions, budget and proof: derivation/bounds/forward.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "derivation/bounds/dropout.h"
#include "derivation/bounds/member_bound.h"
#include "derivation/bounds/roundings.h"
#include "derivation/bounds/scorer_error.h"
#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

// How sure a likely bound is.
struct assurance {
  double false_alarm = 1e-9;  // probability, of a whole run, that a correct subject exceeds one
  double roundings = 0x1p50;  // the most that a run judges: its sums times their lengths
  double deviations() const;  // L = sqrt(2 ln(2 roundings / false_alarm))
};

// The bounds for one row. Evaluated in double and raised by more than the error of that evaluation.
class forward_bound {
 public:
  // given: what each logit of the row may be off by as it is held, where it is not the problem's
  // own score; empty: it is.
  forward_bound(const contract&, const problem&, const row_index&, const exact_row&,
                const assurance& = {}, std::span<const double> given = {});

  // Computes: the largest |o~_d - o_d|. Special: an empty row gives 0; for the mean of V, what its
  // sum may lose.
  double output(std::int64_t d) const;
  // Computes: the largest |lse~ - lse|, in the base that the semantics declares.
  double lse() const;
  // Computes: the largest |t~ - t| of the n-th key of the row, as the score is held.
  double logit(std::size_t n) const { return keys_[n].score; }
  // Computes: E of the n-th key: the log of the factor by which its weight is off, short of what is
  // common to the row. Domain: softmax.
  double exponent(std::size_t n) const { return keys_[n].exponent; }
  // Computes: what the log of the sum of the row's weights, those of keys and sink, may be off by.
  // Domain: softmax, and the row is not empty.
  double log_mass() const;
  // Computes: the same as they are but for the assurance's probability, where rounding errors are
  // mean-independent; output(d) and lse() where nothing can be said.
  double likely_output(std::int64_t d) const;
  double likely_lse() const;
  // Computes: the hull radius max_j |v_jd - o_d| over kept keys: what any convex combination, the
  // mean of V too, stays within. A bound that is a sizeable share of it accepts wrong weights.
  double hull(std::int64_t d) const;
  // Whether no value that an evaluation under the contract may hold overflows its stage. Outside,
  // an infinity or NaN may be right, and the row is not judged.
  bool in_domain() const { return in_domain_; }

 private:
  // What is known of a kept key; the n-th of exact_row.
  struct key_error {
    double score = 0;     // Delta_j
    double rises = 0;     // r_j
    double exponent = 0;  // E_j
    double moved = 0;     // a_j (exp(E_j) - 1)
    double raised = 0;    // a_j exp(E_j)
    double rounded = 0;   // raised times the growth of its term in the output's sum
    double likely = 0;    // the same for the likely growth
    double vanished = 0;  // what exponentials that underflow may move a_j by
    double unstored = 0;  // what storing the weight may move a_j by, where it underflows
  };
  // Sums over the keys, for one column. v is what the weight is multiplied by: s v, or 0 where it
  // is dropped.
  struct column {
    double moved = 0;     // sum a (exp(E) - 1) |v - o|
    double spread = 0;    // sum a exp(E) |v - o|
    double raised = 0;    // sum a exp(E) |v|
    double rounded = 0;   // sum rounded |v|
    double likely = 0;    // sum likely |v|
    double vanished = 0;  // sum vanished (|v - o| + |v|) + unstored |v|, or |v - o| if l sums it
    double plain = 0;     // sum |v|, of keys whose weights are dropped too
    double hull = 0;      // max |v - o|
  };
  // Which accumulation error counts.
  enum class certainty { always, likely };

  void set_member();
  void set_score_errors(std::span<const double> given);
  double score_error(const exact_key&) const;
  double raw_score_error(const exact_key&) const;
  double largest_held(const exact_key&) const;
  double key_quantum(const exact_key&) const;
  double capped_error(double capped, double raw_error) const;
  double bias_error(const exact_key&, double score) const;
  double slope_error(const exact_key&) const;
  void set_quanta();
  double quantised_score_error(const exact_key&) const;
  void set_rises();
  void set_shift();
  void set_exponent_errors();
  double exponent_error(const exact_key&, const key_error&) const;
  double merge_error(const exact_key&) const;
  void set_weights();
  void set_losses();
  void set_columns();
  void set_likely_errors();
  void read_scaled_values(std::size_t n, std::span<double> values) const;
  void drop_values(std::size_t n, std::span<double> values) const;
  bool weighs_twice() const;
  double fused_groups(double terms, double positions) const;
  double shift_size() const;
  bool keeps_weight() const;
  double division_error(const stage&) const;
  double log_error(double log_mass, double unit) const;
  double second_pass_error() const;
  double weight_sum_error(certainty) const;
  double numerator_constants(bool stored) const;
  double parts() const;
  double operations() const;
  bool runs_away(const stage&) const;
  double lost_products() const;
  double before_the_end(const column&, double o, certainty, bool sums_stored_weights) const;
  double end(const column&, double o, certainty) const;
  // The sum whose log the lse is, over keys and sink or over the keys alone.
  struct log_sum {
    double moved = 0;     // by how much wrong weights move its log
    double rounded = 0;   // and the roundings of the sum
    double lost = 0;      // the share of it that may vanish
    double greatest = 0;  // the size of the maximum that is taken out of it
    double log_mass = 0;  // the size of the log of the rest
  };
  double lost_in_log(const key_error&) const;
  log_sum sum_of_all(certainty) const;
  log_sum sum_of_keys() const;
  double lse_within(certainty) const;
  double empty_row_error(std::int64_t d) const;
  bool errors_are_independent() const;

  const contract& contract_;
  const problem& problem_;
  row_index place_;
  const exact_row& row_;
  double deviations_;
  bool has_likely_ = false;    // whether the likely bound says more
  double merges_ = 0;          // m
  double greatest_error_ = 0;  // max Delta_j
  double shift_scale_ = 1;     // exp(M - shift): a weight of 1 as the exponential gives it
  double mass_ = 1;            // l A exp(M - shift), with the error of l
  double held_mass_ = 1;       // the least that a held weight of a_j is of a_j
  std::vector<key_error> keys_;
  double least_mass_ = 1;        // A = sum a_j exp(-E_j)
  double most_mass_ = 1;         // sum a_j exp(E_j)
  double weight_sum_error_ = 0;  // theta_D
  double likely_weight_sum_error_ = 0;
  double second_pass_error_ = 0;  // f
  // What quantisation may move a number by beyond its relative error.
  struct {
    double q = 0;
    std::vector<double> k, v;  // of every position
  } quanta_;
  std::vector<column> columns_;
  double value_quantum_ = 0;  // what quantisation alone moves every column
  dropout_error dropout_;
  bool in_domain_ = true;
  std::optional<scorer_errors> scorer_;  // of another scorer than a product of q and k
  double largest_score_ = 0;             // that it holds on the way
  std::optional<member_bound> member_;   // of another normalizer than softmax
};

// Computes: whether the stages of the contract hold every value of the row's evaluation, in any
// order that it allows. exponents: E_j of each key; largest_value_sum: the largest sum of |v| of a
// column.
bool stages_hold(const contract&, const problem&, const row_index&, const exact_row&,
                 std::span<const double> exponents, double largest_value_sum);

}  // namespace attest
