#include "properties/domain/regimes.h"

#include <algorithm>

#include "properties/domain/chooser.h"

namespace attest {
namespace {

// Whether a weight may be held larger than weight_of_one.
bool may_lift_weights(const contract& c) {
  return c.rescale_threshold > 0 || c.shift != exponent_shift::maximum || c.shift_by < 0;
}

// Whether weights that are scores, and outputs that are sums of their products with v, stay within
// what the contract's stages hold.
bool suits_sums(value_regime regime, const contract& c) {
  constexpr double roomy = 1e30;
  const bool narrow = largest_finite(*c.output) < roomy ||
                      largest_finite(*c.weight_storage.number) < roomy ||
                      largest_finite(*c.output_sum.number) < roomy;
  const bool large = regime == value_regime::large_scores || regime == value_regime::outliers ||
                     regime == value_regime::negative_scores;
  return regime != value_regime::near_overflow && !(narrow && large);
}

}  // namespace

value_regime regime_of(const property& law, const feature_group& group, const draw& d) {
  const std::uint64_t start = hash_of(group.name()) + hash_of(law.name) + d.seed;
  constexpr std::uint64_t stride = 5;  // coprime to 14
  const auto index = static_cast<std::uint64_t>(d.index);
  return static_cast<value_regime>((start + stride * index + index / regime_count) % regime_count);
}

bool suits(value_regime regime, const contract& c, const semantics& rules) {
  constexpr double largest_raw_score = 1e7;
  if (rules.normalised_by == normalizer::identity && !suits_sums(regime, c)) return false;
  const double scores =
      std::min(largest_finite(*c.score_sum.number), largest_finite(*c.score_storage.number));
  const bool follows = c.shift == exponent_shift::maximum;  // whatever the scores are
  if (regime == value_regime::negative_scores) return scores > largest_raw_score && follows;
  if (regime == value_regime::large_scores) return follows;
  if (regime == value_regime::near_overflow)
    return c.output_sum.number->max_exponent >= f32.max_exponent && !may_lift_weights(c);
  return true;
}

value_regime suitable(value_regime regime, const contract& c, const semantics& rules) {
  if (suits(regime, c, rules)) return regime;
  return rules.normalised_by == normalizer::identity ? value_regime::uniform
                                                     : value_regime::outliers;
}

}  // namespace attest
