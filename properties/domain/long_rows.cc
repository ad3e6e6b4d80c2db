#include "properties/domain/long_rows.h"

#include <algorithm>
#include <array>

#include "properties/catalogue/catalogue.h"
#include "properties/domain/details.h"
#include "properties/domain/regimes.h"
#include "properties/domain/scope.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

// Long rows, each length with its neighbours: sums of 8, 11 and 12 bits stall at 256, 2048 and
// 4096, sums of 16-bit floats overflow at 65,504, tiles and splits end at powers of two. Each law
// takes the next long_rows_of_a_law of them, a long row, a short one and one between in its first
// three.
constexpr std::array<std::int64_t, 19> long_lengths{4097, 257, 2049, 1025, 256, 513,    8193,  //
                                                    4096, 255, 2047, 1023, 511, 131072, 4095,  //
                                                    8192, 512, 2048, 1024, 8191};
constexpr std::array<value_regime, 4> long_regimes{value_regime::constant, value_regime::normal,
                                                   value_regime::exact, value_regime::ascending};

// Where the law begins in the ladder of long rows: where the one before it in the catalogue ends.
std::int64_t first_long_row(const property& law) {
  std::int64_t first = 0;
  for (const property* other : catalogue()) {
    if (other == &law) break;
    if (other->long_rows) first += long_rows_of_a_law;
  }
  return first;
}

// Without cross_lengths there are as many queries as keys, which is long enough for few keys.
shape long_shape(const property& law, const subject_info& subject, std::int64_t turn) {
  constexpr std::int64_t least_square = 255;
  shape s;
  s.keys = long_lengths[static_cast<std::size_t>(first_long_row(law) + turn) % long_lengths.size()];
  constexpr std::int64_t most_in_intervals = 8193;
  if (cost_of_member(subject) > 1) s.keys = std::min(s.keys, most_in_intervals);
  s.width = 4;
  s.value_width = subject.features.has(feature::value_width) ? 3 : s.width;
  if (!subject.features.has(feature::cross_lengths)) s.queries = s.keys = least_square + turn % 3;
  return s;
}

// Half of the long rows, and those whose masks need an index of more than 12 bits.
bool is_masked(std::int64_t keys, std::int64_t turn) {
  return turn % 2 == 1 || (keys > 4096 && keys < 10000);
}

// The shortest of a law's long rows is among them, and the one between.
bool is_paged(std::int64_t turn) { return turn % 3 != 0; }

// --- What long rows have beside them ---

// Two in three, of a law that sees what large calls do.
bool has_company(const property& law, std::int64_t turn, std::int64_t cost) {
  return law.large_calls > 0 && cost == 1 && turn % 3 != 1;
}

constexpr std::array<value_regime, 4> regimes_in_company{
    value_regime::normal, value_regime::negative_scores, value_regime::ascending,
    value_regime::descending};

// Several rows, heads and features, of those that leave most of a long row.
shape several_long_rows(shape s, feature_set features, chooser& choose) {
  constexpr std::int64_t most_products = 8'000'000;
  s.batch = choose.among(std::array<std::int64_t, 3>{1, 2, 3});
  s.kv_heads = choose.among(std::array<std::int64_t, 3>{1, 2, 1});
  const std::int64_t grouped = choose.among(std::array<std::int64_t, 4>{2, 3, 5, 2});
  const std::int64_t in_a_group = features.has(feature::grouped_heads) ? grouped : 1;
  s.query_heads = s.kv_heads * in_a_group;
  if (features.has(feature::cross_lengths))
    s.queries = choose.among(std::array<std::int64_t, 4>{1, 2, 5, 1});
  const std::int64_t wide = choose.among(std::array<std::int64_t, 3>{4, 64, 5});
  const auto is_too_large = [&] {
    return s.batch * s.query_heads * s.queries * s.keys * (s.width + s.value_width) > most_products;
  };
  if (s.keys <= 8193) s.width = wide;
  if (!features.has(feature::value_width)) s.value_width = s.width;
  if (is_too_large()) s.kv_heads = 1, s.query_heads = in_a_group;
  if (is_too_large() && features.has(feature::cross_lengths)) s.queries = 2;
  if (is_too_large()) s.batch = 1;
  if (is_too_large()) s.query_heads = s.kv_heads = 1;
  if (is_too_large()) s.width = 4, s.value_width = features.has(feature::value_width) ? 3 : 4;
  return s;
}

// Beyond, positions need more than 16 bits.
constexpr std::int64_t most_short_positions = 65536;

void keep_company(problem_spec& spec, feature_set allowed, const feature_group& group,
                  const draw& d, chooser& choose) {
  constexpr feature_set leaving_little = feature_set()
                                             .with(feature::causal_top_left)
                                             .with(feature::dilation)
                                             .with(feature::chunks)
                                             .with(feature::global_keys)
                                             .with(feature::block_mask)
                                             .with(feature::dropout)
                                             .with(feature::pages);
  feature_set features;
  for (feature f : members(allowed.without(leaving_little)))
    if (choose.one_in(shapes_and_places.has(f) ? 2 : f == feature::window ? 6 : 3))
      features = features.with(f);
  if (spec.dims.keys > most_short_positions && allowed.has(feature::causal_bottom_right))
    features = features.with(feature::causal_bottom_right);
  features = reconciled(features, group, allowed);
  spec.regime = choose.among(regimes_in_company);
  spec.dims = several_long_rows(spec.dims, features, choose);
  choose_details(spec, features, group, d, choose);
  if (!spec.sliding.open()) spec.sliding = {spec.dims.keys / 2, 0};
}

}  // namespace

void choose_long_row(problem_spec& spec, const property& law, const subject_info& subject,
                     const feature_group& group, const draw& d, std::int64_t turn,
                     chooser& choose) {
  const feature_set allowed = usable(law, subject);
  spec.dims = long_shape(law, subject, turn);
  spec.regime = long_regimes[static_cast<std::size_t>(turn) % long_regimes.size()];
  if (has_company(law, turn, cost_of_member(subject)))
    keep_company(spec, allowed, group, d, choose);
  if (!suits(spec.regime, subject.contract_for(*spec.inputs), find_profile(subject.profile)))
    spec.regime = value_regime::normal;
  if (allowed.has(feature::mask) && is_masked(spec.dims.keys, turn)) spec.mask_axes = every_axis;
  if (allowed.has(feature::pages) && is_paged(turn)) spec.page = 16;
}

}  // namespace attest
