// The exponential, its argument and the logarithm, in base e or 2, as unlucky as the contract
// allows.
#pragma once

#include "derivation/unlucky/unlucky_scores.h"

namespace attest {

// A level is a logit, a maximum or an lse in the base that is computed in: base 2 for
// base_2_before, else base e.
class unlucky_exponent {
 public:
  unlucky_exponent(const row_setting&, luck&);

  // Computes: the level of a logit, as maxima are taken of it.
  real level(const unlucky_logit& t, double away) {
    return unit_.multiplied(t.value, t.factor, away);
  }
  // Computes: what is subtracted where the maximum is m: with the shift that the contract asks.
  real shift(const real& maximum);

  // Computes: exp(t - shift), by the exponential of weights.
  real weight(const unlucky_logit& t, const real& shift, double away);
  // Computes: exp(from - to), by the exponential of rescalings; 1 where they are equal.
  real rescaling(const real& from, const real& to, double away);

  // Computes: the level of shift + log(sum); -inf where all weights have vanished.
  real log_sum(const real& shift, const real& sum, double away);
  // Computes: a level as the lse that is returned, in the base that the semantics declares.
  real lse(const real& level, double away);

 private:
  bool base_2_throughout() const { return row_.plan.path == exponent_path::base_2_before; }
  bool base_2_after() const { return row_.plan.path == exponent_path::base_2_after; }
  real exponential(const real& argument, double ulps, double away);

  const row_setting& row_;
  unlucky_unit unit_;
  real constant_;  // log2 e
};

}  // namespace attest
