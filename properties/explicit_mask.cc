#include "properties/explicit_mask.h"

#include "properties/selection.h"
#include "reference/semantics/profiles.h"

namespace attest {

problem with_mask(const problem& p, unsigned axes,
                  const std::function<bool(const row_index&, std::int64_t)>& kept) {
  if (p.mask) axes |= varying_axes(p.mask->where());
  problem masked = p;
  masked.mask = boolean_tensor(broadcast(p.dims.score_sizes(), axes));
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    masked.mask->set(i, (!p.mask || p.mask->at(i)) && kept({i[0], i[1], i[2]}, i[3]));
  });
  return masked;
}

problem with_visible_keys_as_mask(const problem& p) {
  constexpr unsigned batch = 0b0001, queries_and_keys = 0b1100;
  const bool differs = !p.lengths.empty() || !p.key_segments.empty();
  const unsigned blocks = p.block_mask ? varying_axes(p.block_mask->where()) : 0;
  return with_mask(p, queries_and_keys | blocks | (differs ? batch : 0),
                   [&](const row_index& row, std::int64_t key) { return is_visible(p, row, key); });
}

problem with_patterns_as_mask(const problem& p) {
  problem masked = with_visible_keys_as_mask(p);
  masked.sliding = {};
  masked.pattern = {};
  masked.block_mask.reset();
  masked.query_segments.clear();
  masked.key_segments.clear();
  return masked;
}

problem_spec without_capped_mask(problem_spec spec) {
  if (find_profile(spec.profile).cap == cap_order::after_mask) spec.soft_cap = 0;
  return spec;
}

}  // namespace attest
