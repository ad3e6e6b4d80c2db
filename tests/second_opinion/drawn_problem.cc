#include "tests/second_opinion/drawn_problem.h"

#include <algorithm>
#include <array>

#include "reference/random.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest::second_opinion {
namespace {

// Draws from one stream of a seed, one after the other.
class draws {
 public:
  explicit draws(std::uint64_t seed) : seed_(seed) {}
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(seed_, 2000, index_++, static_cast<std::uint64_t>(n)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
  }
  template <class Choice>
  Choice choice(std::int64_t count) {
    return static_cast<Choice>(below(count));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

std::int64_t draw_keys(draws& d) {
  if (d.one_in(16)) return 0;
  return d.one_in(3) ? 1 + d.below(300) : 1 + d.below(40);
}

shape draw_shape(draws& d) {
  shape s;
  s.batch = 1 + d.below(2);
  s.kv_heads = 1 + d.below(2);
  s.keys = draw_keys(d);
  s.query_heads = s.kv_heads * (1 + d.below(s.keys > 64 ? 2 : 3));
  s.queries = 1 + d.below(s.keys > 64 ? 2 : 4);
  s.width = 1 + d.below(d.one_in(4) ? 130 : 12);
  s.value_width = 1 + d.below(d.one_in(8) ? 130 : 5);
  return s;
}

void draw_features(draws& d, problem_spec& spec) {
  if (d.one_in(4)) spec.mask_axes = static_cast<unsigned>(d.below(16));
  if (d.one_in(3)) spec.bias_axes = static_cast<unsigned>(d.below(16));
  spec.infinite_bias = spec.bias_axes && d.one_in(2);
  if (d.one_in(3)) spec.causal = static_cast<causal_anchor>(1 + d.below(2));
  if (d.one_in(4)) {
    spec.sliding.left = d.below(80) - 1;
    spec.sliding.right = d.below(20) - 1;
  }
  spec.ragged = d.one_in(4);
  spec.sink = d.one_in(4);
  if (d.one_in(3)) spec.soft_cap = d.one_of(std::array{0.5, 5.0, 50.0, 3e4});
  if (d.one_in(3)) spec.scale = d.one_of(std::array{0.0, 0.125, 0.3, -0.25, 2.0, -1.0, 1e3});
}

void draw_pattern(draws& d, problem_spec& spec) {
  key_pattern& by = spec.pattern;
  if (d.one_in(6)) by.dilation = 1 + d.below(4);
  if (d.one_in(6)) by.chunk = 1 + d.below(20);
  if (d.one_in(4)) by.global_keys = d.below(6);
  if (d.one_in(6)) {
    spec.block_axes = static_cast<unsigned>(d.below(16));
    by.block_queries = 1 + d.below(3);
    by.block_keys = 1 + d.below(30);
  }
  spec.packed = d.one_in(6);
  spec.alibi = !spec.bias_axes && d.one_in(4);
}

semantics draw_semantics(draws& d) {
  semantics rules;
  for (const semantics_field& field : fields_of_convention())
    field.set(rules, d.choice<std::size_t>(static_cast<std::int64_t>(field.values.size())));
  return rules;
}

// A finite bias that was meant to mask is an ordinary bias.
void put_sentinel(tensor& bias, double sentinel, draws& d) {
  for_each_index(bias.sizes(), [&](const index4& i) {
    if (d.one_in(5)) bias.set(i, sentinel);
  });
}

void draw_extremes(draws& d, drawn_problem& drawn) {
  problem& p = drawn.asked;
  if (p.bias && d.one_in(4)) {
    const double sentinel = -std::min(largest_finite(p.bias->element()), 0x1p127);
    put_sentinel(*p.bias, sentinel, d);
    drawn.text += " sentinel=" + to_text(sentinel);
  }
  if (!p.sink.empty() && d.one_in(4)) {
    p.sink.front() = d.one_of(std::array{-300.0, 40.0, 300.0});
    drawn.text += " sink[0]=" + to_text(p.sink.front());
  }
}

}  // namespace

drawn_problem draw_problem(std::uint64_t seed) {
  draws d(seed);
  problem_spec spec;
  spec.dims = draw_shape(d);
  spec.inputs = d.one_of(all_formats);
  spec.regime = d.one_of(all_regimes()).regime;
  spec.placed = d.choice<layout>(6);
  draw_features(d, spec);
  draw_pattern(d, spec);
  if (d.one_in(4)) {
    spec.dropout_axes = static_cast<unsigned>(d.below(16));
    spec.dropout_scale = d.one_of(std::array{1.0, 1 / 0.9, 2.0, 1 / 0.7, 10.0});
  }
  spec.seed = seed;
  drawn_problem drawn{materialise(spec), spec.regime, to_line(spec)};
  drawn.asked.rules = draw_semantics(d);
  drawn.text += " profile=" + profile_text(drawn.asked.rules);
  draw_extremes(d, drawn);
  return drawn;
}

}  // namespace attest::second_opinion
