#include "properties/domain/domain.h"

#include <algorithm>

#include "properties/domain/chooser.h"
#include "properties/domain/details.h"
#include "properties/domain/large_calls.h"
#include "properties/domain/long_rows.h"
#include "properties/domain/regimes.h"
#include "properties/domain/scope.h"
#include "properties/domain/small_shapes.h"
#include "properties/domain/vast_calls.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using kind = feature_group::kind;

std::uint64_t draw_seed(const property& law, const feature_group& group, const draw& d,
                        std::uint64_t attempt) {
  const std::uint64_t place = hash_of(law.name) ^ (hash_of(group.name()) * 3);
  return random_bits(d.seed, place + attempt, static_cast<std::uint64_t>(d.index));
}

// The group's own feature, shapes and places in half of the problems, and the rest now and then.
feature_set features_of_small(const feature_group& group, feature_set allowed, chooser& choose) {
  feature_set chosen;
  for (feature f : members(allowed)) {
    const bool own = group.what == kind::single && f == group.always;
    const bool other = choose.one_in(shapes_and_places.has(f)    ? 2
                                     : group.what == kind::mixed ? 3
                                                                 : 4);
    if (own || other) chosen = chosen.with(f);
  }
  const bool needs_bias = group.what == kind::single && group.always == feature::infinite_bias;
  return needs_bias && allowed.has(feature::bias) ? chosen.with(feature::bias) : chosen;
}

feature_set choose_features(const feature_group& group, feature_set allowed, std::int64_t turn,
                            chooser& choose) {
  if (group.what == kind::plain) return {};
  if (group.what == kind::large) return features_of_large(allowed, turn, choose);
  if (group.what == kind::vast) return features_of_vast(allowed, choose);
  return features_of_small(group, allowed, choose);
}

shape choose_shape(const feature_group& group, feature_set features, std::int64_t turn,
                   std::int64_t cost, chooser& choose) {
  if (group.what == kind::large) return large_shape(turn, features, cost, choose);
  if (group.what == kind::vast) return vast_shape(turn, features);
  return small_shape(features, choose);
}

value_regime choose_regime(const property& law, const feature_group& group, const draw& d,
                           std::int64_t turn, chooser& choose) {
  if (group.what == kind::large) return regime_of_large(law, turn, d);
  if (group.what == kind::vast) return regime_of_vast(choose);
  return regime_of(law, group, d);
}

// A law may have put a bias there.
std::optional<problem_spec> without_slopes_beside_bias(std::optional<problem_spec> spec) {
  if (spec && spec->bias_axes) spec->alibi = false;
  return spec;
}

// One attempt at a draw.
std::optional<problem_spec> draw_once(const property& law, const subject_info& subject,
                                      const feature_group& group, const draw& d,
                                      std::uint64_t attempt) {
  chooser choose(draw_seed(law, group, d, attempt));
  const auto formats = static_cast<std::int64_t>(subject.inputs.size());
  const std::int64_t turn = d.index / formats;
  problem_spec spec;
  spec.inputs = subject.inputs[static_cast<std::size_t>(d.index % formats)];
  spec.profile = subject.profile;
  spec.seed = choose.bits() >> 32;
  const feature_set allowed = usable(law, subject);
  if (group.what == kind::long_row) {
    choose_long_row(spec, law, subject, group, d, turn, choose);
    return without_slopes_beside_bias(law.adapt(spec, subject));
  }
  const feature_set features =
      reconciled(choose_features(group, allowed, turn, choose), group, allowed);
  spec.dims = choose_shape(group, features, turn, cost_of_member(subject), choose);
  spec.regime = suitable(choose_regime(law, group, d, turn, choose),
                         subject.contract_for(*spec.inputs), find_profile(subject.profile));
  choose_details(spec, features, group, d, choose);
  return without_slopes_beside_bias(law.adapt(spec, subject));
}

// Sizes may come out equal, a small bias finite, and a law may take a feature away that does not go
// with another.
bool uses_its_feature(const problem_spec& spec, const feature_group& group) {
  return group.what != kind::single || group.always == feature::lse || spec.placed == layout::far ||
         materialise(spec).asks().has(group.always);
}

}  // namespace

std::string feature_group::name() const {
  switch (what) {
    case kind::plain:
      return "plain";
    case kind::mixed:
      return "mixed";
    case kind::long_row:
      return "long_row";
    case kind::large:
      return "large";
    case kind::vast:
      return "vast";
    case kind::single:
      break;
  }
  return std::string(name_of(always));
}

std::vector<feature_group> groups_for(const property& law, const subject_info& subject) {
  std::vector<feature_group> groups;
  if (!holds_for(law, find_profile(subject.profile))) return groups;
  if (law.plain_group) groups.push_back({});
  const feature_set usable_groups(law.groups.bits() & subject.features.bits());
  for (feature f : members(usable_groups)) groups.push_back({kind::single, f});
  if (!usable_groups.empty()) groups.push_back({kind::mixed, {}});
  if (law.long_rows) groups.push_back({kind::long_row, {}});
  if (law.large_calls > 0) groups.push_back({kind::large, {}});
  if (law.vast_calls && cost_of_member(subject) == 1) groups.push_back({kind::vast, {}});
  return groups;
}

std::optional<problem_spec> draw_spec(const property& law, const subject_info& subject,
                                      const feature_group& group, const draw& d) {
  constexpr std::uint64_t most_attempts = 32;
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    const auto spec = draw_once(law, subject, group, d, attempt);
    if (spec && uses_its_feature(*spec, group)) return spec;
  }
  return std::nullopt;
}

int problems_in(const property& law, const feature_group& group, const subject_info& subject) {
  const int formats = static_cast<int>(subject.inputs.size());
  if (group.what == kind::long_row) return long_rows_of_a_law * formats;
  if (group.what == kind::large) return large_calls_of(law, subject) * formats;
  if (group.what == kind::vast) return vast_calls_of_a_law * formats;
  return law.base_problems;
}

std::vector<problem_spec> draw_specs(const property& law, const subject_info& subject,
                                     std::uint64_t seed, int effort) {
  std::vector<problem_spec> specs;
  for (const feature_group& group : groups_for(law, subject))
    for (int index = 0; index < effort * problems_in(law, group, subject); ++index)
      if (auto spec = draw_spec(law, subject, group, {seed, index}))
        specs.push_back(std::move(*spec));
  return specs;
}

}  // namespace attest
