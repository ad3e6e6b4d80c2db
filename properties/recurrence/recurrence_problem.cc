#include "properties/recurrence/recurrence_problem.h"

#include <algorithm>
#include <cmath>

#include "properties/recurrence/altered_recurrence.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

// Streams of random numbers, one for the elements of each tensor.
enum stream : std::uint64_t {
  q_values = 5000,
  k_values,
  v_values,
  logs,
  rates,
  gates,
  states,
  directions
};

// All bits of the gaps between elements are set: NaN in every format.
constexpr std::uint64_t gaps = ~std::uint64_t{0};

std::uint64_t number_of(const index4& i) {
  return static_cast<std::uint64_t>(i[0]) << 48 ^ static_cast<std::uint64_t>(i[1]) << 40 ^
         static_cast<std::uint64_t>(i[2]) << 16 ^ static_cast<std::uint64_t>(i[3]);
}

class materialised {
 public:
  explicit materialised(const recurrence_spec& s) : s_(s), side_(state_format(*s.inputs)) {}

  recurrence_problem problem() const {
    recurrence_problem all;
    all.inputs = s_.inputs;
    all.decay = s_.decay;
    all.asks_state = s_.state_out;
    all.placed = s_.placed;
    linear_problem& p = all.posed;
    const shape& d = s_.dims;
    p.dims = d;
    p.map = s_.map;
    p.normalised = s_.normalised;
    p.scale = s_.scale;
    if (by_draws())
      p.draws = filled(*s_.inputs, place(layout::bhld, {1, d.kv_heads, s_.draws, d.width}),
                       [&](auto& i) { return draw(i); });
    p.q = filled(*s_.inputs, place(s_.placed, d.q_sizes()), [&](auto& i) { return query(i); });
    p.k = filled(*s_.inputs, place(s_.placed, d.k_sizes()), [&](auto& i) { return key(i); });
    p.v = filled(*s_.inputs, place(s_.placed, d.v_sizes()), [&](auto& i) { return value(i); });
    if (s_.decay != decay_kind::none)
      p.decay = filled(side_, place_of_decay(s_.decay, p), [&](auto& i) { return fading(i); });
    const index4 of_position{d.batch, d.kv_heads, d.queries, 1};
    if (s_.delta)
      p.rate =
          filled(*s_.inputs, place(layout::bhld, of_position), [&](auto& i) { return rate(i); });
    if (s_.erase)
      p.erase = filled(*s_.inputs, place(layout::bhld, p.gate_sizes()),
                       [&](auto& i) { return random_unit(s_.seed, gates, number_of(i)); });
    if (s_.state_in)
      p.state = filled(side_, place(layout::bhld, p.state_sizes()),
                       [&](auto& i) { return sized(drawn(states, i)); });
    return all;
  }

 private:
  template <class Of>
  static tensor filled(const format& element, const placement& where, Of of) {
    tensor t(element, where, gaps);
    for_each_index(where.sizes, [&](const index4& i) { t.set(i, round_to(element, {}, of(i))); });
    return t;
  }

  // Normal, or a whole number from -2 to 2.
  double drawn(stream use, const index4& i) const {
    if (s_.elements != element_regime::exact) return random_normal(s_.seed, use, number_of(i));
    return static_cast<double>(random_below(s_.seed, use, number_of(i), 5)) - 2;
  }

  bool by_draws() const { return s_.map == feature_map::exp_features; }
  std::int64_t channels() const { return by_draws() ? s_.draws : s_.dims.width; }

  // Beside draws rows have a length of about 1, so that exponents are of the size of 1.
  double query(const index4& i) const {
    const double x = drawn(q_values, i);
    return by_draws() ? x / std::sqrt(static_cast<double>(s_.dims.width)) : x;
  }

  // What the squares of a key's elements may add up to where all positions look up.
  double length_squared() const { return std::min(1.0, 4 / static_cast<double>(s_.dims.queries)); }

  double key(const index4& i) const {
    const double width = static_cast<double>(s_.dims.width);
    if (s_.elements == element_regime::one_hot)
      return (i[2] + i[1]) % s_.dims.width == i[3] ? 1 : 0;
    if (s_.elements == element_regime::exact && !by_draws()) return drawn(k_values, i);
    const double square = s_.delta && s_.map != feature_map::elu_plus_1 ? length_squared() : 1;
    return std::sqrt(square / width) * drawn(k_values, i);
  }

  // Normal beside rows of length 1. Under the delta rule features stay the nearer to 1: at a rate
  // of 2 the largest of them multiply what is known.
  double draw(const index4& i) const {
    return (s_.delta ? 0.5 : 1) * random_normal(s_.seed, directions, number_of(i));
  }

  double value(const index4& i) const { return sized(drawn(v_values, i)); }

  double sized(double x) const {
    const bool narrow = *s_.inputs == f16;  // in its exponents
    if (s_.elements == element_regime::small) return (narrow ? 0x1p-6 : 0x1p-14) * x;
    if (s_.elements == element_regime::large) return (narrow ? 32 : 1024) * x;
    return x;
  }

  double fading(const index4& i) const {
    index4 place = i;
    if (s_.decay == decay_kind::head) place = {0, i[1], 0, 0};
    const double unit = random_unit(s_.seed, logs, number_of(place));
    switch (s_.fading) {
      case fading_regime::none:
        return 0;
      case fading_regime::slow:
        return -0.001 * unit;
      case fading_regime::fast:
        return -4 - 12 * unit;
      case fading_regime::resets:
        return s_.decay != decay_kind::head && unit < 0.125 ? -200 : -unit;
      default:
        return -unit;
    }
  }

  // Features that are positive everywhere make keys long: the rate is so much the smaller.
  double rate(const index4& i) const {
    const double unit = random_unit(s_.seed, rates, number_of(i));
    switch (s_.rates) {
      case rate_regime::zero:
        return 0;
      case rate_regime::one:
        return 1;
      case rate_regime::two:
        return 2;
      case rate_regime::mixed:
        return std::floor(3 * unit);
      default:
        return is_positive(s_.map) ? unit * length_squared() / static_cast<double>(channels())
                                   : unit;
    }
  }

  const recurrence_spec& s_;
  const format& side_;
};

// ---- Drawing ----

using f = recurrence_feature;

class draws {
 public:
  draws(std::uint64_t seed, std::uint64_t n) : seed_(random_bits(seed, drawing, n)) {}

  std::uint64_t below(std::uint64_t n) { return random_below(seed_, drawing, next_++, n); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class Choices>
  auto of(const Choices& choices) {
    return choices[below(std::size(choices))];
  }
  std::uint64_t seed_of_elements() const { return seed_ >> 16; }  // a short number in lines

 private:
  static constexpr std::uint64_t drawing = 4999;
  std::uint64_t seed_, next_ = 0;
};

class drawn_spec {
 public:
  drawn_spec(draws d, recurrence_features allowed, recurrence_features asked)
      : d_(d), allowed_(allowed), asked_(asked) {}

  recurrence_spec spec(const std::vector<const format*>& inputs) {
    s_.inputs = d_.of(inputs);
    draw_rule();
    draw_gates();
    draw_states();
    draw_sizes();
    draw_regimes();
    draw_layout();
    s_.seed = d_.seed_of_elements();
    return s_;
  }

 private:
  // What must be is; what may be is, one time in so many.
  bool asks(recurrence_feature each, std::uint64_t one_in) {
    const bool drawn = d_.one_in(one_in);
    return asked_.has(each) || (drawn && allowed_.has(each));
  }

  // One of those that may be, or the one that must.
  recurrence_feature choose(std::initializer_list<recurrence_feature> choices) {
    std::vector<recurrence_feature> open;
    for (recurrence_feature each : choices) {
      if (asked_.has(each)) return each;
      if (allowed_.has(each)) open.push_back(each);
    }
    return d_.of(open);
  }

  static feature_map map_of(recurrence_feature each) {
    if (each == f::exp_features) return feature_map::exp_features;
    if (each == f::elu_plus_1) return feature_map::elu_plus_1;
    return each == f::relu ? feature_map::relu : feature_map::identity;
  }

  void draw_rule() {
    const bool normalised = asked_.has(f::normalised);
    s_.delta = !normalised && choose({f::sum, f::delta}) == f::delta;
    s_.map = map_of(normalised ? choose({f::elu_plus_1, f::exp_features})
                               : choose({f::identity, f::elu_plus_1, f::relu, f::exp_features}));
    const bool may_be =
        !s_.delta && is_positive(s_.map) && !asked_.has(f::state_in) && !asked_.has(f::scale);
    s_.normalised = normalised || (asks(f::normalised, 2) && may_be);
    s_.erase = asks(f::erase, 3) && s_.delta;
  }

  void draw_gates() {
    const recurrence_features of_decay =
        recurrence_features().with(f::head_decay).with(f::position_decay).with(f::channel_decay);
    const bool none = d_.one_in(4) && !asked_.meets(of_decay);
    if (none || !allowed_.meets(of_decay)) return;
    const recurrence_feature kind = choose({f::head_decay, f::position_decay, f::channel_decay});
    s_.decay = kind == f::head_decay       ? decay_kind::head
               : kind == f::position_decay ? decay_kind::position
                                           : decay_kind::channel;
  }

  void draw_states() {
    s_.state_in = asks(f::state_in, 2) && !s_.normalised;
    s_.state_out = asks(f::state_out, 2);
    constexpr double scales[] = {1, 0.3, -2, 0};
    const double scale = d_.of(scales);
    if (asks(f::scale, 3) && !s_.normalised) s_.scale = scale;
  }

  // Around the lengths of usual chunks, and few.
  void draw_sizes() {
    constexpr std::int64_t few[] = {1, 2, 3, 4, 5, 7, 8},
                           many[] = {15, 17, 31, 33, 63, 64, 65, 130};
    constexpr std::int64_t widths[] = {1, 2, 3, 4, 6, 8, 16}, wide[] = {32, 64};
    shape& s = s_.dims;
    s.batch = d_.one_in(2) ? 1 : 2;
    s.kv_heads = d_.one_in(2) ? 1 : 2;
    s.query_heads =
        s.kv_heads * (asks(f::grouped_heads, 2) ? 2 + static_cast<std::int64_t>(d_.below(2)) : 1);
    const bool is_long = d_.one_in(2), is_wide = d_.one_in(8);
    s.queries = s.keys = is_long ? d_.of(many) : d_.of(few);
    s.width = is_wide && !is_long ? d_.of(wide) : d_.of(widths);
    const std::int64_t other = d_.of(widths);
    s.value_width = asks(f::value_width, 2) ? (other == s.width ? other + 1 : other) : s.width;
    const std::int64_t draws = 1 + static_cast<std::int64_t>(d_.below(6));
    if (s_.map == feature_map::exp_features) s_.draws = draws;
  }

  void draw_regimes() {
    constexpr element_regime elements[] = {element_regime::normal, element_regime::normal,
                                           element_regime::normal, element_regime::exact,
                                           element_regime::large,  element_regime::small,
                                           element_regime::one_hot};
    constexpr fading_regime fadings[] = {
        fading_regime::usual, fading_regime::usual, fading_regime::slow,  fading_regime::slow,
        fading_regime::fast,  fading_regime::none,  fading_regime::resets};
    constexpr rate_regime rates[] = {rate_regime::usual, rate_regime::usual, rate_regime::usual,
                                     rate_regime::zero,  rate_regime::one,   rate_regime::two,
                                     rate_regime::mixed};
    s_.elements = d_.of(elements);
    const fading_regime fading = d_.of(fadings);
    const rate_regime rate = d_.of(rates);
    if (s_.decay != decay_kind::none) s_.fading = fading;
    if (s_.delta) s_.rates = rate;
    if (s_.delta) keep_bounds_small();
  }

  // Sums of sizes grow with each position that looks up: where it does so fully, positions are few,
  // or keys apart.
  void keep_bounds_small() {
    const bool apart = s_.elements == element_regime::one_hot && !is_positive(s_.map);
    const bool fully = s_.rates != rate_regime::usual && s_.rates != rate_regime::zero;
    if (s_.elements == element_regime::exact || (fully && !apart))
      s_.dims.queries = std::min<std::int64_t>(s_.dims.queries, 3);
    if (fully && is_positive(s_.map)) keep_in_range();
    if (apart) s_.dims.queries = std::min(s_.dims.queries, 6 * s_.dims.width);
    s_.dims.keys = s_.dims.queries;
  }

  // Positive features make keys long: the third of them that looks up fully may multiply what is
  // known by so much that f16 holds no stage of it.
  void keep_in_range() {
    constexpr std::int64_t usual_width = 16;
    if (s_.elements == element_regime::large) s_.elements = element_regime::normal;
    if (s_.dims.width > usual_width) s_.dims.queries = std::min<std::int64_t>(s_.dims.queries, 2);
  }

  void draw_layout() {
    constexpr layout layouts[] = {layout::blhd, layout::fused, layout::reversed, layout::spread,
                                  layout::mirrored};
    const layout other = d_.of(layouts);
    if (asks(f::strides, 3)) s_.placed = other;
  }

  draws d_;
  recurrence_features allowed_, asked_;
  recurrence_spec s_;
};

}  // namespace

const format& state_format(const format& inputs) { return inputs == f64 ? f64 : f32; }

recurrence_problem materialise(const recurrence_spec& s) { return materialised(s).problem(); }

recurrence_spec draw_recurrence(std::uint64_t seed, std::uint64_t n, recurrence_features allowed,
                                recurrence_features asked,
                                const std::vector<const format*>& inputs) {
  return drawn_spec(draws(seed, n), allowed, asked).spec(inputs);
}

}  // namespace attest
