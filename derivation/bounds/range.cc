// When a row is in the domain of a contract: no stage overflows.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "derivation/bounds/forward.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

// Half of each stage's range is left for the errors of the values themselves.
bool fits(double value, const stage& s) { return value < largest_finite(*s.number) / 2; }

bool converted_fit(const contract& c, const conversion& how, double value) {
  const bool narrows = largest_finite(*how.to.number) < largest_finite(*c.inputs);
  return how.times == 0 || !narrows || fits(value, how.to);
}

bool scores_fit(const contract& c, const exact_row& row) {
  return std::all_of(row.keys.begin(), row.keys.end(), [&](const exact_key& key) {
    return fits(std::max(key.unscaled, key.magnitude) + key.bias, c.score_sum) &&
           fits(key.magnitude + key.bias, c.score_storage) &&
           fits(key.magnitude + key.bias, c.bias_sum) &&
           converted_fit(c, c.q_conversion, key.operands) &&
           converted_fit(c, c.k_conversion, key.operands);
  });
}

// The largest weight that may be held: of a key whose logit is above the shift in force.
double largest_weight(const contract& c, const exact_row& row, std::span<const double> errors) {
  const bool constant = c.shift == exponent_shift::constant;
  const double above =
      constant ? row.greatest + *std::max_element(errors.begin(), errors.end()) - c.shift_by
               : -c.shift_by;
  return c.weight_of_one * exp_double(std::max(0.0, above) + c.rescale_threshold);
}

constexpr double any_error = 0x1p1000;  // in place of an infinite one

// What an accumulator may hold while T is the maximum in force: of each key whose logit may be as
// low as T its size, times exp(its highest logit - T) where that is below 1. Between two keys'
// lowest logits the sum falls with T, so that every largest one is met at a lowest logit.
class running_sums {
 public:
  running_sums(const problem& p, const row_index& place, const exact_row& row,
               std::span<const double> errors)
      : problem_(p),
        place_(place),
        row_(row),
        at_most_1_(row.output.size() + 1),
        fading_(at_most_1_.size()) {
    for (std::size_t n = 0; n < row.keys.size(); ++n) {
      const double logit = -row.keys[n].gap, error = std::min(errors[n], any_error);
      if (std::isinf(logit)) continue;  // weighs nothing
      changes_.push_back({logit - error, n, true});
      changes_.push_back({logit + error, n, false});
    }
    std::sort(changes_.begin(), changes_.end(), [](const change& a, const change& b) {
      return a.level != b.level ? a.level < b.level : a.enters > b.enters;
    });
  }

  // The sums after each key, of the sizes |v| and then of 1.
  template <class Visit>
  void for_each_maximum(Visit visit) {
    std::vector<double> sums(fading_.size());
    double level = changes_.empty() ? 0 : changes_.front().level;
    for (const change& at : changes_) {
      fade(exp_double(level - at.level));
      level = at.level;
      add(at_most_1_, at.key, at.enters ? 1 : -1);
      if (!at.enters) add(fading_, at.key, 1);
      for (std::size_t d = 0; d < sums.size(); ++d) sums[d] = at_most_1_[d] + fading_[d];
      if (at.enters) visit(sums);
    }
  }

 private:
  // A key joins those that may weigh 1, or leaves them for those that weigh less and less.
  struct change {
    double level;
    std::size_t key;
    bool enters;
  };

  void fade(double factor) {
    for (double& sum : fading_) sum *= factor;
  }
  void add(std::vector<double>& sums, std::size_t n, double times) const {
    for (std::size_t d = 0; d + 1 < sums.size(); ++d)
      sums[d] += times * std::fabs(row_.value(problem_, place_, n, static_cast<std::int64_t>(d)));
    sums.back() += times;
  }

  const problem& problem_;
  row_index place_;
  const exact_row& row_;
  std::vector<change> changes_;
  std::vector<double> at_most_1_, fading_;
};

// Where the maximum is known before, only the last sums count.
bool running_sums_fit(const contract& c, const problem& p, const row_index& place,
                      const exact_row& row, std::span<const double> errors) {
  const bool any_maximum = c.may_rescale || c.merges > 0;
  std::vector<double> largest(row.output.size() + 1);
  running_sums(p, place, row, errors).for_each_maximum([&](const std::vector<double>& sums) {
    for (std::size_t d = 0; d < sums.size(); ++d)
      largest[d] = any_maximum ? std::max(largest[d], sums[d]) : sums[d];
  });
  const double weight = largest_weight(c, row, errors);
  const auto holds = [&](double sum) {
    return fits(weight * sum, c.output_sum) &&
           (c.merges == 0 || fits(weight * sum, c.partial_storage));
  };
  return fits(weight * largest.back(), c.weight_sum) &&
         std::all_of(largest.begin(), largest.end() - 1, holds);
}

}  // namespace

bool stages_hold(const contract& c, const problem& p, const row_index& place, const exact_row& row,
                 std::span<const double> errors, double largest_value_sum) {
  const double weight = largest_weight(c, row, errors);
  if (!converted_fit(c, c.v_conversion, largest_value_sum) || !scores_fit(c, row) ||
      !(weight <= largest_finite(*c.weight_storage.number)) ||
      !dropout_error(c, p).fits(weight, place, row))
    return false;
  const bool surely = fits(weight * static_cast<double>(row.keys.size()), c.weight_sum) &&
                      fits(weight * largest_value_sum, c.output_sum) &&
                      (c.merges == 0 || fits(weight * largest_value_sum, c.partial_storage));
  return surely || running_sums_fit(c, p, place, row, errors);
}

}  // namespace attest
