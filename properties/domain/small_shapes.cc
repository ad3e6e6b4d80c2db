#include "properties/domain/small_shapes.h"

#include <algorithm>

namespace attest {
namespace {

bool distinct(const shape& s) {
  std::array<std::int64_t, 6> sizes{s.batch, s.query_heads, s.queries,
                                    s.keys,  s.width,       s.value_width};
  std::sort(sizes.begin(), sizes.end());
  return std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end();
}

shape draw_shape(feature_set features, chooser& choose) {
  shape s;
  s.batch = choose.among(std::array<std::int64_t, 4>{1, 2, 2, 3});
  s.kv_heads = choose.among(std::array<std::int64_t, 4>{1, 2, 3, 2});
  const std::int64_t group = choose.among(std::array<std::int64_t, 3>{2, 3, 2});
  s.query_heads = features.has(feature::grouped_heads) ? s.kv_heads * group : s.kv_heads;
  s.keys = choose.among(std::array<std::int64_t, 10>{2, 5, 7, 11, 13, 17, 19, 23, 29, 37});
  const std::int64_t queries = choose.among(std::array<std::int64_t, 6>{1, 3, 5, 7, 11, 13});
  if (features.has(feature::cross_lengths)) s.queries = queries;
  if (!features.has(feature::cross_lengths))
    s.queries = s.keys = std::min<std::int64_t>(s.keys, 13);
  s.width = choose.among(std::array<std::int64_t, 9>{1, 3, 4, 5, 7, 8, 11, 16, 17});
  const std::int64_t value_width = choose.among(std::array<std::int64_t, 6>{1, 2, 5, 7, 11, 13});
  s.value_width = features.has(feature::value_width) ? value_width : s.width;
  return s;
}

}  // namespace

shape small_shape(feature_set features, chooser& choose) {
  constexpr int tries = 8;
  shape s = draw_shape(features, choose);
  for (int n = 1; n < tries && !distinct(s); ++n) s = draw_shape(features, choose);
  return s;
}

}  // namespace attest
