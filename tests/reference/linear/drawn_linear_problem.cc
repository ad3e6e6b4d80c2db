#include "tests/reference/linear/drawn_linear_problem.h"

#include <cmath>

#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t {
  choices = 3000,
  q_values,
  k_values,
  v_values,
  logs,
  rates,
  states,
  directions
};

class draws {
 public:
  draws(std::uint64_t seed, const format& inputs) : seed_(seed), inputs_(inputs) {}

  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(seed_, choices, next_++, static_cast<std::uint64_t>(n)));
  }
  bool half() { return below(2) == 0; }

  tensor normal(const index4& sizes, stream use, double scale) const {
    return filled(sizes, [&](std::uint64_t n) { return scale * random_normal(seed_, use, n); });
  }
  tensor uniform(const index4& sizes, stream use, double from, double to) const {
    return filled(sizes,
                  [&](std::uint64_t n) { return from + (to - from) * random_unit(seed_, use, n); });
  }

 private:
  template <class Of>
  tensor filled(const index4& sizes, Of of) const {
    tensor t(inputs_, place(layout::bhld, sizes), 0);
    std::uint64_t n = 0;
    for_each_index(sizes, [&](const index4& i) { t.set(i, round_to(inputs_, {}, of(n++))); });
    return t;
  }

  std::uint64_t seed_;
  const format& inputs_;
  std::uint64_t next_ = 0;
};

shape draw_shape(draws& d) {
  shape s;
  s.batch = 1 + d.below(2);
  s.kv_heads = 1 + d.below(2);
  s.query_heads = s.kv_heads * (1 + d.below(3));
  s.queries = s.keys = 1 + d.below(d.half() ? 40 : 6);
  s.width = 1 + d.below(8);
  s.value_width = 1 + d.below(4);
  return s;
}

}  // namespace

linear_problem draw_linear_problem(std::uint64_t seed, const format& inputs) {
  draws d(seed, inputs);
  linear_problem p;
  p.dims = draw_shape(d);
  const shape& s = p.dims;
  p.map = static_cast<feature_map>(d.below(4));
  const bool by_draws = p.map == feature_map::exp_features;
  p.normalised = (p.map == feature_map::elu_plus_1 || by_draws) && d.half();
  if (by_draws) p.draws = d.normal({1, s.kv_heads, 1 + d.below(6), s.width}, directions, 1);
  const double length = 1 / std::sqrt(static_cast<double>(s.width));
  p.q = d.normal(s.q_sizes(), q_values, by_draws ? length : 1);
  p.k = d.normal(s.k_sizes(), k_values, length / 2);
  p.v = d.normal(s.v_sizes(), v_values, 1);
  const index4 gates{s.batch, s.kv_heads, s.queries, 1};
  if (d.half())
    p.decay = d.uniform(d.half() ? gates : p.gate_sizes(), logs, d.half() ? -0.01 : -2, 0);
  const bool looks_up = d.half() && !p.normalised && (p.map == feature_map::identity || by_draws);
  const double highest = by_draws ? 1 / static_cast<double>(p.channels()) : 1;
  if (looks_up) p.rate = d.uniform(gates, rates, 0, highest);
  if (looks_up && d.half()) p.erase = d.uniform(p.gate_sizes(), rates, 0, 1);
  if (!p.normalised && d.half()) p.state = d.normal(p.state_sizes(), states, 1);
  if (!p.normalised && d.half()) p.scale = d.half() ? 1 : 0.3;
  return p;
}

}  // namespace attest
