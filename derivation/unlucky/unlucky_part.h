// What is known of a row after some of its keys, and how it grows: steps 5 to 7 of the definition.
#pragma once

#include <optional>

#include "derivation/unlucky/unlucky_exponent.h"
#include "derivation/unlucky/unlucky_order.h"

namespace attest {

// l = w sum exp(t - shift) and o = w sum exp(t - shift) v over the keys so far, w = weight_of_one.
struct unlucky_part {
  real maximum{0, 0};  // of the levels, as it is in force
  real shift{0, 0};
  real l{0, 0};
  std::vector<real> o;
  double lean = 0;  // sum of weight and pull: positive where more weight for all is unluckier
};

// A part divided by its l.
struct finished_part {
  real lse{0, 0};  // a level
  std::vector<real> o;
  double lean = 0;
};

class part_steps {
 public:
  part_steps(const row_setting&, luck&);

  unlucky_exponent& exponent() { return exponent_; }

  // Computes: the part that a run over the blocks leaves.
  unlucky_part over(const part_of_keys&);
  // Computes: both together, rescaled to the larger maximum.
  unlucky_part merged(unlucky_part, unlucky_part);
  finished_part finished(const unlucky_part&);

  // Computes: the output of finished parts as it is stored between merges.
  finished_part stored(finished_part);
  unlucky_part stored(unlucky_part);
  // Computes: both together, each weighted by exp(its lse - the lse of both).
  finished_part merged(const finished_part&, const finished_part&);
  // Computes: all together; divided: by the sum of their weights.
  finished_part merged(const std::vector<finished_part>&, bool divided);

  // Computes: sum p v over all keys by weights p / l or exp(t - lse), that are stored before.
  std::vector<real> mixed_normalised(const unlucky_part& whole);
  std::vector<real> mixed_by_lse(const real& lse);

  // Computes: an output with the scale of dropout, where the plan has it meet the output.
  real scaled_output(const real& o);

 private:
  bool aims_at_output() const { return !row_.plan.aims_at_lse; }
  // Whether the weights that l adds are those that meet v.
  bool weighs_once() const;
  double weight_pull(std::size_t n) const;  // of the weights that l adds
  double mixed_pull(std::size_t n) const;   // of those that only meet v
  double sum_pull() const;
  double share_pull(const real& o) const;  // of a factor of a part of the output

  void set_dropout_scale();
  void set_values();
  bool scales(dropout_place) const;
  // Computes: a product with the scale of dropout, stored as a weight.
  real scaled_and_stored(const real& x, double away);
  void absorb(unlucky_part&, const key_block&);
  void raise(unlucky_part&, const real& maximum);
  void set_maximum(unlucky_part&, const real& maximum);
  void rescale(unlucky_part&, const real& factor);
  real greatest(const key_block&) const;
  real stored_weight(const real& weight, double away);
  real scaled_weight(const real& weight, double away);
  real divided(const real& o, const real& l);
  std::vector<real> mixed(const key_block&, const std::vector<real>& stored,
                          const std::vector<real>& before);

  const row_setting& row_;
  luck& draws_;
  unlucky_exponent exponent_;
  unlucky_unit exponent_unit_, storage_, output_, sum_, partial_;
  real weight_of_one_;
  real dropout_scale_;  // as it is held
  std::vector<unlucky_logit> logits_;
  std::vector<real> levels_;
  std::vector<std::vector<real>> values_;  // of every key
  std::vector<real> weights_;              // exp(t - shift) of every key, as last computed
};

}  // namespace attest
