#include "reference/exact/rising_precision.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "reference/definition/attention.h"
#include "reference/exact/equal_scores.h"
#include "reference/exact/exact_row.h"
#include "reference/exact/row_error.h"
#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

using real = mpfr_real;

constexpr int lowest_precision = 256;

// Sums of values less a point are multiples of 2^-1075 below 2^1100: exact. So are those of values
// times a scale of dropout: multiples of 2^-1127 below 2^1140.
constexpr int coefficient_bits = 2304;

side side_of_sign(int sign) {
  if (sign == 0) return side::at;
  return sign < 0 ? side::below : side::above;
}

// Coefficients times exponentials, one a group of equal logits, less exp(point) where there is a
// point. All logits are distinct and no coefficient is 0.
struct exponential_sum {
  std::vector<std::size_t> groups;
  std::vector<real> coefficients;
  std::optional<dyadic> point;

  void add(std::size_t group, const real& coefficient) {
    if (sign_of(coefficient) == 0) return;
    groups.push_back(group);
    coefficients.push_back(coefficient);
  }
  std::size_t terms() const { return groups.size() + (point ? 1 : 0); }
};

// x where it is an integer from 0 to 62.
std::optional<int> small_integer(const dyadic& x) {
  constexpr int greatest = 62;
  if (x.significand == 0) return 0;
  if (x.significand < 0 || std::abs(x.exponent) > greatest) return std::nullopt;
  const std::int64_t integer = x.exponent < 0 ? x.significand >> -x.exponent
                                              : std::min<std::int64_t>(x.significand, greatest + 1)
                                                    << std::min(x.exponent, 6);
  const bool is_whole = x.exponent >= 0 || integer << -x.exponent == x.significand;
  return is_whole && integer <= greatest ? std::optional(static_cast<int>(integer)) : std::nullopt;
}

// The exponentials of a row at one precision, one a group of equal logits.
class exponentials_of_groups {
 public:
  exponentials_of_groups(const problem& p, const row_index& row,
                         const std::vector<score_group>& groups, int bits)
      : bits_(bits) {
    const working_precision scope(bits);
    const real scale = scale_of<real>(p);
    for (const score_group& group : groups)
      logits_.push_back(logit_of(p, row, group.front(), scale));
    greatest_ = *std::max_element(logits_.begin(), logits_.end());
    for (const real& t : logits_) exponentials_.push_back(exp(t - greatest_));
  }

  int bits() const { return bits_; }
  const real& logit(std::size_t group) const { return logits_[group]; }

  // Computes: exp(t - shift), times a factor that depends on the shift alone and saves computing
  // it anew.
  real of_group(std::size_t group, const real& shift) const {
    return is_near(shift) ? exponentials_[group] : exp(logits_[group] - shift);
  }
  real of_point(const real& t, const real& shift) const {
    return exp(t - (is_near(shift) ? greatest_ : shift));
  }

 private:
  static real logit_of(const problem& p, const row_index& row, std::int64_t j, const real& scale) {
    if (j == sink_key) return real(p.sink[static_cast<std::size_t>(row.h)]);
    return capped_and_biased(p, row, j, raw_score(p, row, j, scale));
  }

  // Within half of what an exponential still resolves.
  bool is_near(const real& shift) const {
    return abs(greatest_ - shift) < real(-least_exponent_argument / 2);
  }

  int bits_;
  std::vector<real> logits_, exponentials_;
  real greatest_;
};

}  // namespace

class rising_row::state {
 public:
  state(const problem& p, const row_index& place)
      : problem_(p),
        place_(place),
        scores_(p, place),
        groups_(scores_.groups()),
        size_(size_of_row(p, place, key_set(p, place))) {
    if (groups_.empty()) groups_.push_back(all_keys(p));
  }

  side output_side(std::int64_t d, const dyadic& x) { return side_of(output_sum(d, x)); }
  side lse_side(const dyadic& x) { return side_of(lse_sum(x)); }

 private:
  // An empty row whose output is the mean of v: one group, of which no logit is asked.
  static score_group all_keys(const problem& p) {
    score_group keys;
    for (std::int64_t j = 0; j < p.dims.keys; ++j) keys.push_back(j);
    return keys;
  }

  bool in_base_2() const { return problem_.rules.base == lse_base::two; }

  // sum (s m v - x), exactly.
  real coefficient(const score_group& group, std::int64_t d, const dyadic& x) const {
    const working_precision scope(coefficient_bits);
    real sum(0);
    for (std::int64_t j : group)
      if (j != sink_key && !drops(problem_, place_, j))
        sum = sum + real(problem_.v.at(place_.b, problem_.kv_head(place_.h), j, d));
    if (problem_.dropout_mask) sum = sum * real(problem_.dropout_scale);
    return sum - real(static_cast<double>(group.size())) * dyadic_real(x.significand, x.exponent);
  }

  // o > x exactly where sum exp(t_j) (s m_j v_j - x) > 0.
  exponential_sum output_sum(std::int64_t d, const dyadic& x) const {
    exponential_sum sum;
    for (std::size_t g = 0; g < groups_.size(); ++g) sum.add(g, coefficient(groups_[g], d, x));
    return sum;
  }

  // How many exponentials of a group the lse sums.
  std::int64_t counted_in_lse(const score_group& group) const {
    const auto all = static_cast<std::int64_t>(group.size());
    if (problem_.rules.sink == lse_sink::included) return all;
    return all - std::count(group.begin(), group.end(), sink_key);
  }

  // lse > x exactly where sum exp(t_j) - exp(x) > 0, or 2^x in place of exp(x). That may be a
  // multiple of a group's exponential: the one of logit x; of logit 0 where 2^x is an integer.
  exponential_sum lse_sum(const dyadic& x) const {
    std::optional<std::size_t> joined;
    const std::optional<int> power = in_base_2() ? small_integer(x) : 0;
    if (power) joined = scores_.group_of(in_base_2() ? dyadic{} : x);
    const working_precision scope(coefficient_bits);
    exponential_sum sum;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t taken = joined == g ? std::int64_t{1} << *power : 0;
      sum.add(g, dyadic_real(counted_in_lse(groups_[g]) - taken, 0));
    }
    if (!joined) sum.point = x;
    return sum;
  }

  real logit_of_point(const dyadic& x) const {
    const real exact = dyadic_real(x.significand, x.exponent);
    return in_base_2() ? exact * log(real(2)) : exact;
  }

  row_size size_with(const exponential_sum& sum) const {
    row_size size = size_;
    if (sum.point) size.score_exponent = std::max(size.score_exponent, 66 + sum.point->exponent);
    return size;
  }

  real shift_of(const exponential_sum& sum) const {
    real shift = sum.point ? logit_of_point(*sum.point) : level_->logit(sum.groups.front());
    for (std::size_t g : sum.groups)
      if (shift < level_->logit(g)) shift = level_->logit(g);
    return shift;
  }

  void rise_to(int bits) {
    if (!level_ || level_->bits() != bits) level_.emplace(problem_, place_, groups_, bits);
  }

  // Budget: each term is off by at most 2^error_exponent of itself, and by 2^vanishing of its
  // coefficient where its exponential was below that; the sums are in error_exponent too.
  side attempt(const exponential_sum& sum, int bits) {
    const int error = error_exponent(size_with(sum), bits);
    if (error > -2) return side::unknown;
    rise_to(bits);
    const working_precision scope(bits);
    const real shift = shift_of(sum);
    real total(0), size(0), vanished(0);
    const auto add = [&](const real& coefficient, const real& exponential) {
      const real term = coefficient * exponential;
      total = total + term;
      size = size + abs(term);
      vanished = vanished + abs(coefficient);
    };
    for (std::size_t n = 0; n < sum.groups.size(); ++n)
      add(sum.coefficients[n], level_->of_group(sum.groups[n], shift));
    if (sum.point) add(real(-1), level_->of_point(logit_of_point(*sum.point), shift));
    const bool certain = scaled(size, error) + scaled(vanished, vanishing) < abs(total);
    return certain ? side_of_sign(sign_of(total)) : side::unknown;
  }

  side side_of(const exponential_sum& sum) {
    if (sum.terms() == 0) return side::at;
    if (sum.terms() == 1)
      return sum.point ? side::below : side_of_sign(sign_of(sum.coefficients.front()));
    for (int bits = level_ ? level_->bits() : lowest_precision; bits <= highest_precision;
         bits *= 2) {
      const side found = attempt(sum, bits);
      if (found != side::unknown) return found;
    }
    return side::unknown;
  }

  const problem& problem_;
  row_index place_;
  equal_scores scores_;
  std::vector<score_group> groups_;
  row_size size_;
  std::optional<exponentials_of_groups> level_;
};

rising_row::rising_row(const problem& p, const row_index& place)
    : state_(std::make_unique<state>(p, place)) {}
rising_row::~rising_row() = default;
rising_row::rising_row(rising_row&&) noexcept = default;
rising_row& rising_row::operator=(rising_row&&) noexcept = default;

side rising_row::output_side(std::int64_t d, const dyadic& x) { return state_->output_side(d, x); }
side rising_row::lse_side(const dyadic& x) { return state_->lse_side(x); }

}  // namespace attest
