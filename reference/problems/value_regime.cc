#include "reference/problems/value_regime.h"

#include <cmath>
#include <string>

#include "reference/input_error.h"
#include "reference/random.h"

namespace attest {
namespace {

constexpr regime_text texts[] = {
    {value_regime::normal, "normal", "N(0, 1)"},
    {value_regime::uniform, "uniform", "U(0, 1): one-sided values and scores"},
    {value_regime::constant, "constant", "q and k the same everywhere, v normal: equal scores"},
    {value_regime::one_hot, "one_hot", "unit vectors in q, k and v"},
    {value_regime::large_scores, "large_scores", "q and k of N(0, 64): nearly one-hot weights"},
    {value_regime::negative_scores, "negative_scores",
     "every score near a common value from -1.2e4 down to -1e5"},
    {value_regime::ties, "ties", "three distinct keys: equal scores, at the maximum too"},
    {value_regime::ascending, "ascending",
     "scores rise with the key: the running maximum always moves"},
    {value_regime::descending, "descending",
     "scores fall with the key: the running maximum never moves"},
    {value_regime::outliers, "outliers", "N(0, 1) with 5 % drawn from N(0, 100)"},
    {value_regime::near_overflow, "near_overflow", "v near the largest sums that the format holds"},
    {value_regime::subnormal, "subnormal", "subnormal numbers in every second column of v"},
    {value_regime::signed_zeros, "signed_zeros", "half of all elements are +0 or -0"},
    {value_regime::exact, "exact", "small integers: scores and sums without rounding"},
};

// Streams of random numbers, so that no two uses share bits.
enum stream : std::uint64_t { values = 0, choices = 16, per_problem = 32 };

// A number of its own for every logical index, whatever the sizes of the tensor.
std::uint64_t element_number(const index4& i) {
  return (static_cast<std::uint64_t>(i[0]) << 52) ^ (static_cast<std::uint64_t>(i[1]) << 42) ^
         (static_cast<std::uint64_t>(i[2]) << 16) ^ static_cast<std::uint64_t>(i[3]);
}

class element {
 public:
  element(const value_source& source, operand role, const index4& index)
      : source_(source), role_(role), index_(index) {}

  double normal() const {
    return random_normal(source_.seed, values + lane(), element_number(index_));
  }
  double uniform() const {
    return random_unit(source_.seed, values + lane(), element_number(index_));
  }
  // Uniform in [0, n), independent of the value.
  std::uint64_t choice(std::uint64_t n) const {
    return random_below(source_.seed, choices + lane(), element_number(index_), n);
  }
  std::uint64_t problem_choice(std::uint64_t n) const {
    return random_below(source_.seed, per_problem, 0, n);
  }

  operand role() const { return role_; }
  bool leads() const {
    return index_[3] == 0;
  }  // the coordinate that carries the common part of a score
  std::int64_t position() const { return index_[2]; }
  std::int64_t column() const { return index_[3]; }
  const value_source& source() const { return source_; }
  element at_position(std::int64_t l) const {
    return {source_, role_, {index_[0], index_[1], l, index_[3]}};
  }

 private:
  std::uint64_t lane() const { return static_cast<std::uint64_t>(role_); }

  const value_source& source_;
  operand role_;
  index4 index_;
};

double constant(const element& x) {
  if (x.role() == operand::v) return x.normal();
  return x.role() == operand::q ? 0.5 : 1.0;
}

double one_hot(const element& x) {
  const bool hot = x.column() == x.position() % (x.role() == operand::v ? 3 : x.source().width);
  if (!hot) return 0;
  return x.role() == operand::q ? 4 : 1;
}

double large_scores(const element& x) {
  return x.role() == operand::v ? x.normal() : 8 * x.normal();
}

// The leading coordinates make t about `level` + a normal variate for every key.
double common_score(const element& x, double level) {
  constexpr double lead = 64;
  if (x.role() == operand::v || !x.leads()) return x.normal();
  return x.role() == operand::q ? lead : level / (lead * x.source().scale);
}

double negative_scores(const element& x) {
  constexpr double levels[] = {-1.2e4, -3e4, -1e5};
  return common_score(x, levels[x.problem_choice(3)]);
}

double ties(const element& x) {
  if (x.role() != operand::k) return x.normal();
  constexpr std::int64_t distinct = 3;
  return x.at_position(x.position() % distinct).normal();
}

// Scores that move by one step a key, 40 or 200 in all for long rows, and a small normal part.
double ramp(const element& x, double direction) {
  if (x.role() == operand::v) return x.normal();
  if (!x.leads()) return 0.25 * x.normal();
  if (x.role() == operand::q) return 8;
  const bool steep = x.problem_choice(2) == 1;
  const double keys = static_cast<double>(x.source().keys);
  const double step = steep ? std::fmin(8, 200 / keys) : std::fmin(2, 40 / keys);
  return direction * step * static_cast<double>(x.position()) / (8 * x.source().scale);
}

double outliers(const element& x) { return x.choice(20) == 0 ? 10 * x.normal() : x.normal(); }

// Sums of p |v| over all keys stay below the format's largest number where that is also the
// accumulator's.
double near_overflow(const element& x) {
  if (x.role() != operand::v) return x.normal();
  const bool wider_accumulator =
      x.source().inputs->storage_bits < 32 && x.source().inputs->max_exponent < 127;
  const double terms = wider_accumulator ? 1 : static_cast<double>(x.source().keys);
  const double size = largest_finite(*x.source().inputs) / (2 * terms);
  return (x.choice(2) == 0 ? size : -size) * (0.5 + 0.5 * x.uniform());
}

double subnormal(const element& x) {
  if (x.role() != operand::v || x.column() % 2 == 0) return x.normal();
  return x.normal() * 0.5 * smallest_normal(*x.source().inputs);
}

double signed_zeros(const element& x) {
  switch (x.choice(4)) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    default:
      return x.normal();
  }
}

double exact(const element& x) {
  if (x.role() == operand::v) return static_cast<double>(x.choice(17)) - 8;
  return static_cast<double>(x.choice(3)) - 1;
}

double value_of(const element& x) {
  switch (x.source().regime) {
    case value_regime::normal:
      return x.normal();
    case value_regime::uniform:
      return x.uniform();
    case value_regime::constant:
      return constant(x);
    case value_regime::one_hot:
      return one_hot(x);
    case value_regime::large_scores:
      return large_scores(x);
    case value_regime::negative_scores:
      return negative_scores(x);
    case value_regime::ties:
      return ties(x);
    case value_regime::ascending:
      return ramp(x, 1);
    case value_regime::descending:
      return ramp(x, -1);
    case value_regime::outliers:
      return outliers(x);
    case value_regime::near_overflow:
      return near_overflow(x);
    case value_regime::subnormal:
      return subnormal(x);
    case value_regime::signed_zeros:
      return signed_zeros(x);
    case value_regime::exact:
      return exact(x);
  }
  return 0;
}

}  // namespace

std::span<const regime_text> all_regimes() { return texts; }

std::string_view name_of(value_regime regime) {
  return texts[static_cast<std::size_t>(regime)].name;
}

value_regime find_regime(std::string_view name) {
  std::string allowed;
  for (const regime_text& t : texts) {
    if (t.name == name) return t.regime;
    allowed += (allowed.empty() ? "" : ", ") + std::string(t.name);
  }
  throw input_error("unknown value regime '" + std::string(name) + "' (allowed: " + allowed + ")");
}

double regime_value(const value_source& source, operand role, const index4& index) {
  return value_of(element(source, role, index));
}

}  // namespace attest
