#include "tests/reference/backends/random_spec.h"

#include <array>
#include <iterator>

#include "reference/random.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

// Draws from one stream of a seed, one after the other.
class draws {
 public:
  explicit draws(std::uint64_t seed) : seed_(seed) {}
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(seed_, 1000, index_++, static_cast<std::uint64_t>(n)));
  }
  bool quarter() { return below(4) == 0; }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

shape random_shape(draws& d) {
  shape s;
  s.batch = 1 + d.below(2);
  s.kv_heads = 1 + d.below(2);
  s.query_heads = s.kv_heads * (1 + d.below(3));
  s.queries = 1 + d.below(5);
  s.keys = d.below(16) == 0 ? 0 : 1 + d.below(48);
  s.width = 1 + d.below(d.quarter() ? 64 : 12);
  s.value_width = 1 + d.below(4);
  return s;
}

void draw_features(draws& d, problem_spec& spec) {
  if (d.quarter()) spec.mask_axes = static_cast<unsigned>(d.below(16));
  if (d.quarter()) spec.bias_axes = static_cast<unsigned>(d.below(16));
  spec.infinite_bias = spec.bias_axes && d.below(2) == 0;
  if (d.quarter()) spec.causal = static_cast<causal_anchor>(1 + d.below(2));
  if (d.quarter()) spec.sliding = {d.below(12) - 1, d.below(12) - 1};
  spec.ragged = d.quarter();
  spec.sink = d.quarter();
  if (d.quarter()) spec.soft_cap = d.one_of(std::array{0.5, 5.0, 50.0});
  if (d.quarter()) spec.scale = d.one_of(std::array{0.0, 0.125, 0.3, -0.25, 2.0});
  spec.pattern.dilation = d.quarter() ? 2 : 1;
  spec.pattern.chunk = d.quarter() ? 1 + d.below(12) : 0;
  spec.pattern.global_keys = d.quarter() ? d.below(5) : 0;
  if (d.quarter()) {
    spec.block_axes = static_cast<unsigned>(d.below(16));
    spec.pattern.block_queries = 1 + d.below(3);
    spec.pattern.block_keys = 1 + d.below(9);
  }
  spec.packed = d.quarter();
  spec.alibi = !spec.bias_axes && d.quarter();
  if (d.quarter()) {
    spec.dropout_axes = static_cast<unsigned>(d.below(16));
    const bool has_room = spec.regime != value_regime::near_overflow;
    spec.dropout_scale = has_room ? d.one_of(std::array{1 / 0.9, 2.0, 1 / 0.7, 10.0}) : 1;
  }
}

}  // namespace

problem_spec random_spec(std::uint64_t seed, const format& inputs) {
  draws d(seed);
  problem_spec spec;
  spec.dims = random_shape(d);
  spec.inputs = &inputs;
  constexpr std::size_t drawn_profiles = 7;  // however many there are, a seed keeps its problem
  spec.profile = d.one_of(all_profiles().first(drawn_profiles)).name;
  spec.regime = d.one_of(all_regimes()).regime;
  spec.placed = static_cast<layout>(d.below(6));
  draw_features(d, spec);
  spec.seed = seed;
  return spec;
}

problem_spec unusual_spec(std::uint64_t seed, const format& inputs) {
  problem_spec spec = random_spec(seed, inputs);
  draws d(~seed);
  semantics rules;
  for (const semantics_field& field : fields_of_convention())
    field.set(rules, static_cast<std::size_t>(d.below(std::ssize(field.values))));
  spec.profile = profile_text(rules);
  return spec;
}

problem_spec any_spec(std::uint64_t seed, const format& inputs) {
  return seed % 2 == 0 ? random_spec(seed, inputs) : unusual_spec(seed, inputs);
}

answer::answer(const problem& p, const format& output, const format& lse_format)
    : o(output, place(p.answer_layout, p.dims.o_sizes()), ~std::uint64_t{0}),
      lse(lse_format, place(layout::bhld, p.dims.lse_sizes()), ~std::uint64_t{0}) {}

bool same_bits(const tensor& x, const tensor& y) {
  bool same = true;
  for_each_index(x.sizes(), [&](const index4& i) { same = same && x.bits(i) == y.bits(i); });
  return same;
}

}  // namespace attest
