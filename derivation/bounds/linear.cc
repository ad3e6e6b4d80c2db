#include "derivation/bounds/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "derivation/bounds/roundings.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double fewest_positions = 16;   // of a chunk between whose stages bits are lost
constexpr double stores_of_a_chunk = 4;   // products, what is new, keys as they fade, the state
constexpr double roundings_of_scale = 3;  // root, reciprocal and product; or a division
constexpr double roundings_of_rate =
    4;  // a difference, a product with beta, one with e, and one more
constexpr double sums_of_a_look_up = 3;  // of up to l + 1 terms: a row, an inverse and its product
constexpr double sums_of_an_output = 2;  // in the chunk of the key, and in that of the query
constexpr double steps_of_an_exponent = 4;  // beside the sum: halves, and x . x apart from w . x

template <class Of>
tensor with_each(const tensor& t, Of of) {
  tensor result(f64, place(layout::bhld, t.sizes()), 0);
  for_each_index(t.sizes(), [&](const index4& i) { result.set(i, of(t.at(i))); });
  return result;
}

// A feature by its size, and by what share more an argument of its exponential that is off makes
// it.
struct feature {
  double size = 0, moved = 0;
};

// The sum of the sizes of some terms, and how much more it may come to where each is off by what
// happens on its way.
struct grown {
  double size = 0, more = 0;

  grown times(double factor) const { return {size * factor, more * factor}; }
  grown times(const feature& f) const { return times(f.size).by(f.moved); }
  // As every term grows by that share.
  grown by(double growth) const { return {size, more + growth * (size + more)}; }
  grown& operator+=(const grown& x) {
    size += x.size;
    more += x.more;
    return *this;
  }
};

// sum over positions up to l of the largest |g|, of every KV head: [B, Hkv, L].
std::vector<double> sums_of_logs(const linear_problem& p) {
  std::vector<double> sums;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
      double sum = 0;
      for (std::int64_t l = 0; l < p.dims.queries; ++l) {
        double largest = 0;
        for (std::int64_t t = 0; p.decay && t < p.decay->sizes()[3]; ++t)
          largest = std::max(largest, std::fabs(p.decay->at(b, g, l, t)));
        sums.push_back(sum += largest);
      }
    }
  return sums;
}

// By what share a term may grow at each thing that happens to it (linear.md). l: the position;
// logs: the sum of |g| up to it.
class growths {
 public:
  growths(const contract& c, const linear_problem& p)
      : unit_(std::max({unit_of(c.score_sum), unit_of(c.output_sum), unit_of(c.exponent),
                        unit_of(c.weight_sum)})),
        stored_(unit_of(c.weight_storage)),
        kept_(unit_of(c.partial_storage)),
        of_q_(growth(c.q_conversion.times, unit_of(c.q_conversion.to))),
        of_k_(growth(c.k_conversion.times, unit_of(c.k_conversion.to))),
        of_v_(growth(c.v_conversion.times, unit_of(c.v_conversion.to))),
        of_argument_((1 + std::max(of_q_, of_k_)) * (1 + of_k_) *
                         (1 + growth(2 * static_cast<double>(p.dims.width) + steps_of_an_exponent +
                                         argument_roundings(c),
                                     unit_)) -
                     1),
        lost_(std::max({underflow_of(c.score_sum), underflow_of(c.exponent),
                        underflow_of(c.q_conversion.to), underflow_of(c.k_conversion.to)})),
        width_(static_cast<double>(p.channels())),
        exponential_(2 * std::max(c.exp_ulps, c.rescale_ulps) + argument_roundings(c) + 2),
        fade_(p.decay ? exponential_ + 1 : 0),
        feature_(p.map == feature_map::identity ? 0 : exponential_ + 1) {}

  // By what share a feature moves whose exponent is a sum of so many terms, of factors and of
  // products of these sizes in all.
  double moved(double terms, double factors, double products) const {
    return expm1_double(of_argument_ * products +
                        lost_ * (1 + of_argument_) * (2 * terms + factors));
  }
  double fade() const { return growth(fade_, unit_); }
  // Of what is new at a position, beside what it looks up; and of its product with the key.
  double value() const { return with(of_v_, growth(roundings_of_rate, unit_)); }
  double product() const { return with(of_k_, growth(1 + feature_, unit_)); }
  double look_up(double l, double logs) const {
    const double n =
        width_ + sums_of_a_look_up * (l + 1) + roundings_of_rate + feature_ + 2 * fade_;
    return with(with(of_k_, growth(n, unit_)), of_logs(l, logs));
  }
  double output(double l, double logs) const {
    const double n =
        width_ + sums_of_an_output * (l + 2) + roundings_of_scale + feature_ + 2 * fade_;
    const double chunks = l / fewest_positions + 2;
    const double stores = with(growth(stores_of_a_chunk * chunks, stored_), growth(l + 2, kept_));
    return with(with(with(of_q_, growth(n, unit_)), stores), of_logs(l, logs));
  }

 private:
  static double with(double one, double other) { return one + other + one * other; }

  // exp(x) - 1, of the error x that sums of logs leave in an exponent.
  double of_logs(double l, double logs) const {
    const double x = fade_ > 0 ? unit_ * (l + 4) * logs : 0;
    return x < 1 ? x + x * x : infinity;
  }

  double unit_, stored_, kept_, of_q_, of_k_, of_v_, of_argument_, lost_, width_, exponential_,
      fade_, feature_;
};

// By what share an exp feature moves whose exponent is off.
double moved_by_exponent(const linear_problem& p, const growths& g, std::int64_t a, const tensor& x,
                         std::int64_t b, std::int64_t h, std::int64_t l) {
  const std::int64_t of = h / (x.sizes()[1] / p.dims.kv_heads);
  double factors = 0, products = 0;
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    const double w = std::fabs(p.draws->at(0, of, a, t)), size = std::fabs(x.at(b, h, l, t));
    factors += w + 2 * size;
    products += w * size + size * size / 2;
  }
  return g.moved(2 * static_cast<double>(p.dims.width) + steps_of_an_exponent, factors, products);
}

// Of row x_bhl of q or k.
std::vector<feature> features_by_size(const linear_problem& p, const growths& g, const tensor& x,
                                      std::int64_t b, std::int64_t h, std::int64_t l) {
  std::vector<feature> row;
  for (const double value : features_of<double>(p, x, b, h, l)) {
    const auto a = static_cast<std::int64_t>(row.size());
    row.push_back({std::fabs(value), p.draws ? moved_by_exponent(p, g, a, x, b, h, l) : 0});
  }
  return row;
}

// What the answer is a sum of, by sizes: the definition with every term by its size.
struct majorant {
  std::vector<grown> output, state;
  double largest_new = 0, largest_state = 0;
};

enum class fading : std::uint8_t { as_given, none };

class majorant_of_head {
 public:
  majorant_of_head(const linear_problem& p, const growths& g, fading how, std::int64_t b,
                   std::int64_t head)
      : p_(p), g_(g), how_(how), b_(b), head_(head), state_(cells()) {
    for (std::int64_t t = 0; p.state && t < p.channels(); ++t)
      for (std::int64_t d = 0; d < p.dims.value_width; ++d)
        at(t, d).size = std::fabs(p.state->at(b, head, t, d));
  }

  void absorb(std::int64_t l, double logs, double& largest_new) {
    fade(l);
    const std::vector<feature> k = features_by_size(p_, g_, p_.k, b_, head_, l);
    const double look_up = p_.rate ? g_.look_up(static_cast<double>(l), logs) : 0;
    for (std::int64_t d = 0; d < p_.dims.value_width; ++d) {
      grown fresh = grown{std::fabs(p_.v.at(b_, head_, l, d))}.by(g_.value());
      if (p_.rate) {
        fresh += looked_up(k, l, d).by(look_up);
        fresh = fresh.times(std::fabs(p_.rate->at(b_, head_, l, 0)));
      }
      largest_new = std::max(largest_new, fresh.size + fresh.more);
      for (std::int64_t t = 0; t < p_.channels(); ++t)
        at(t, d) += fresh.by(g_.product()).times(k[static_cast<std::size_t>(t)]);
    }
  }

  // Of a query whose features are given.
  grown output(const std::vector<feature>& q, std::int64_t d) const {
    grown sum;
    for (std::int64_t t = 0; t < p_.channels(); ++t)
      sum += at(t, d).times(q[static_cast<std::size_t>(t)]);
    return sum.times(std::fabs(p_.scale_or_usual()));
  }

  const std::vector<grown>& state() const { return state_; }

 private:
  std::size_t cells() const {
    return static_cast<std::size_t>(p_.channels() * p_.dims.value_width);
  }
  std::size_t cell(std::int64_t t, std::int64_t d) const {
    return static_cast<std::size_t>(t * p_.dims.value_width + d);
  }
  grown& at(std::int64_t t, std::int64_t d) { return state_[cell(t, d)]; }
  const grown& at(std::int64_t t, std::int64_t d) const { return state_[cell(t, d)]; }

  void fade(std::int64_t l) {
    if (!p_.decay) return;
    for (std::int64_t t = 0; t < p_.channels(); ++t) {
      const double log = p_.decay->at(b_, head_, l, p_.decay_channel(t));
      const double factor = exp_of(how_ == fading::none ? std::max(log, 0.0) : log);
      for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
        at(t, d) = at(t, d).times(factor).by(g_.fade());
    }
  }

  grown looked_up(const std::vector<feature>& k, std::int64_t l, std::int64_t d) const {
    grown sum;
    for (std::int64_t t = 0; t < p_.channels(); ++t)
      sum += at(t, d)
                 .times(k[static_cast<std::size_t>(t)])
                 .times(p_.erase ? std::fabs(p_.erase->at(b_, head_, l, t)) : 1);
    return sum;
  }

  const linear_problem& p_;
  const growths& g_;
  fading how_;
  std::int64_t b_, head_;
  std::vector<grown> state_;
};

majorant majorant_of(const linear_problem& p, const growths& g, fading how) {
  const shape& s = p.dims;
  const std::vector<double> logs = sums_of_logs(p);
  majorant all;
  all.output.resize(static_cast<std::size_t>(s.batch * s.query_heads * s.queries * s.value_width));
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t head = 0; head < s.kv_heads; ++head) {
      majorant_of_head of_head(p, g, how, b, head);
      for (std::int64_t l = 0; l < s.queries; ++l) {
        of_head.absorb(l, logs[static_cast<std::size_t>((b * s.kv_heads + head) * s.queries + l)],
                       all.largest_new);
        for (std::int64_t h = 0; h < s.query_heads; ++h) {
          if (p.kv_head(h) != head) continue;
          const std::vector<feature> q = features_by_size(p, g, p.q, b, h, l);
          for (std::int64_t d = 0; d < s.value_width; ++d)
            all.output[static_cast<std::size_t>(
                ((b * s.query_heads + h) * s.queries + l) * s.value_width + d)] =
                of_head.output(q, d);
        }
      }
      for (const grown& x : of_head.state()) {
        all.state.push_back(x);
        all.largest_state = std::max(all.largest_state, x.size + x.more);
      }
    }
  return all;
}

// How far an error of 1 in every element of the state, made anywhere, may have grown.
linear_problem spread_of_errors(const linear_problem& p) {
  linear_problem m = p;
  m.v = with_each(p.v, [](double) { return 0.0; });
  m.state = tensor(f64, place(layout::bhld, p.state_sizes()), 0);
  for_each_index(p.state_sizes(), [&](const index4& i) { m.state->set(i, 1); });
  return m;
}

// The sum of the weights of each output: that of values of 1.
linear_problem weights_of(const linear_problem& p) {
  linear_problem w = p;
  w.dims.value_width = 1;
  w.v = tensor(f64, place(layout::bhld, w.dims.v_sizes()), 0);
  for_each_index(w.dims.v_sizes(), [&](const index4& i) { w.v.set(i, 1); });
  w.normalised = false;
  w.scale = 1;
  return w;
}

// The largest size of a feature of q or k, and 1 at least.
double largest_of(const linear_problem& p, const tensor& x) {
  const index4 rows{x.sizes()[0], x.sizes()[1], x.sizes()[2], 1};
  double largest = 1;
  for_each_index(rows, [&](const index4& i) {
    for (const double each : features_of<double>(p, x, i[0], i[1], i[2]))
      largest = std::max(largest, std::fabs(each));
  });
  return largest;
}

// What numbers that underflow may add.
class underflows {
 public:
  underflows(const contract& c, const linear_problem& p, const growths& g)
      : eta_(std::max({underflow_of(c.score_sum), underflow_of(c.output_sum),
                       underflow_of(c.exponent), underflow_of(c.weight_sum)}) +
             underflow_of(c.weight_storage) + underflow_of(c.partial_storage) +
             exp_double(c.exp_zero_below)),
        width_(static_cast<double>(p.channels())),
        scale_(std::fabs(p.scale_or_usual())),
        looks_up_(p.rate.has_value()),
        q_(largest_of(p, p.q)),
        k_(largest_of(p, p.k)),
        spread_(majorant_of(spread_of_errors(p), g, fading::none)) {
    const majorant unfaded = majorant_of(p, g, fading::none);
    u_ = 1 + unfaded.largest_new;
    z_ = 1 + unfaded.largest_state;
  }

  double in_output(double l, std::size_t n) const {
    const double here = (l + 1) * (width_ + 1) * (1 + q_ * k_) * u_ + (width_ + 1) * (1 + z_);
    return eta_ * (in_state(l) * all(spread_.output[n]) + scale_ * here + 1);
  }
  double in_state(double l, std::size_t n) const {
    return eta_ * in_state(l) * (all(spread_.state[n]) + 1);
  }

 private:
  static double all(const grown& x) { return x.size + x.more; }

  // Of the state's elements, at all positions up to l.
  double in_state(double l) const {
    const double looked_up =
        looks_up_ ? k_ * ((l + 1) * (width_ + 1) * (1 + k_ * k_) * u_ + (width_ + 1) * (1 + z_))
                  : 0;
    return (l + 1) * (2 * (1 + k_) * (1 + u_) + 1 + z_ + looked_up);
  }

  double eta_, width_, scale_;
  bool looks_up_;
  double q_, k_, u_ = 1, z_ = 1;
  majorant spread_;
};

// What rounding x, off by error, to the format that holds it adds.
double with_store(const stage& held, double x, double error) {
  return error + unit_of(held) * (std::fabs(x) + error) + underflow_of(held);
}

class bound_of_problem {
 public:
  bound_of_problem(const contract& c, const linear_problem& p,
                   const linear_answer<enclosure>& exact, const format* state)
      : contract_(c),
        problem_(p),
        exact_(exact),
        output_{c.output, c.output_mode, c.output_subnormals},
        state_{state == nullptr ? c.output : state, c.output_mode, c.output_subnormals},
        growths_(c, p),
        sizes_(majorant_of(p, growths_, fading::as_given)),
        underflows_(c, p, growths_),
        logs_(sums_of_logs(p)) {
    if (!p.normalised) return;
    const linear_problem w = weights_of(p);
    weights_ = exact_linear_attention(w).output;
    weight_sizes_ = majorant_of(w, growths_, fading::as_given).output;
    weight_underflows_.emplace(c, w, growths_);
  }

  linear_bound all() const {
    linear_bound b;
    for (const grown& x : sizes_.output) b.output_size.push_back(x.size);
    for (const grown& x : sizes_.state) b.state_size.push_back(x.size);
    const shape& s = problem_.dims;
    std::size_t n = 0;
    for_each_index({s.batch, s.query_heads, s.queries, s.value_width},
                   [&](const index4& i) { b.output.push_back(output(i, n++)); });
    n = 0;
    for_each_index(problem_.state_sizes(),
                   [&](const index4& i) { b.state.push_back(state(i, n++)); });
    return b;
  }

 private:
  double growth_at(std::int64_t b, std::int64_t g, std::int64_t l) const {
    const double logs = logs_[static_cast<std::size_t>(
        (b * problem_.dims.kv_heads + g) * problem_.dims.queries + l)];
    return growths_.output(static_cast<double>(l), logs);
  }

  // Where a size is beyond double, nothing is.
  static double decided(double bound) { return std::isnan(bound) ? infinity : bound; }

  double output(const index4& i, std::size_t n) const {
    const double share = growth_at(i[0], problem_.kv_head(i[1]), i[2]);
    const auto l = static_cast<double>(i[2]);
    double error = sizes_.output[n].by(share).more + underflows_.in_output(l, n);
    if (problem_.normalised)
      error = quotient_error(n, l, error / std::fabs(problem_.scale_or_usual()), share);
    return decided(raise * with_store(output_, exact_.output[n].high, error));
  }

  // N / W with errors in both.
  double quotient_error(std::size_t n, double l, double numerator, double share) const {
    const std::size_t row = n / static_cast<std::size_t>(problem_.dims.value_width);
    const double weight = std::fabs(weights_[row].high) - weights_[row].radius;
    const double error = weight_sizes_[row].by(share).more + weight_underflows_->in_output(l, row);
    if (!(weight > error)) return infinity;
    const double o = std::fabs(exact_.output[n].high);
    const double moved = (numerator + o * error) / (weight - error);
    return moved + 2 * contract_.division_ulps * unit_of(contract_.output_sum) * (o + moved);
  }

  double state(const index4& i, std::size_t n) const {
    const std::int64_t last = problem_.dims.queries - 1;
    if (last < 0) return 0;
    const double error = sizes_.state[n].by(growth_at(i[0], i[1], last)).more +
                         underflows_.in_state(static_cast<double>(last), n);
    return decided(raise * with_store(state_, exact_.state[n].high, error));
  }

  const contract& contract_;
  const linear_problem& problem_;
  const linear_answer<enclosure>& exact_;
  stage output_, state_;
  growths growths_;
  majorant sizes_;
  underflows underflows_;
  std::vector<double> logs_;
  std::vector<enclosure> weights_;  // of a normalised problem, [B, Hq, L]
  std::vector<grown> weight_sizes_;
  std::optional<underflows> weight_underflows_;
};

}  // namespace

linear_bound bound_of(const contract& c, const linear_problem& p,
                      const linear_answer<enclosure>& exact, const format* state) {
  return bound_of_problem(c, p, exact, state).all();
}

}  // namespace attest
