#include "properties/domain/scope.h"

#include "reference/semantics/profiles.h"

namespace attest {

feature_set usable(const property& law, const subject_info& subject) {
  const feature_set both(law.admits.bits() & subject.features.bits());
  return find_profile(subject.profile).is_softmax() ? both : both.without(feature::sink);
}

std::int64_t cost_of_member(const subject_info& subject) {
  const semantics rules = find_profile(subject.profile);
  const bool is_plain = rules.is_softmax() && rules.scores_by_products();
  constexpr std::int64_t in_intervals = 40, of_a_scorer = 4;
  if (is_plain) return 1;
  return rules.scores_by_products() ? in_intervals : in_intervals * of_a_scorer;
}

}  // namespace attest
