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
double largest_weight(const contract& c, const exact_row& row) {
  const double above =
      c.shift == exponent_shift::constant ? row.greatest - c.shift_by : -c.shift_by;
  return c.weight_of_one * exp_double(std::max(0.0, above) + c.rescale_threshold);
}

// Sums while keys are absorbed from the smallest logit to the greatest.
class running_sums {
 public:
  running_sums(const problem& p, const row_index& place, const exact_row& row)
      : problem_(p), place_(place), row_(row), sums_(row.output.size() + 1) {}

  // sum_{t_n <= t_m} exp(t_n - t_m) size_n after each m, the sizes |v| and then 1.
  template <class Visit>
  void for_each_maximum(Visit visit) {
    std::vector<std::size_t> order(row_.keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return row_.keys[a].gap > row_.keys[b].gap; });
    double gap = order.empty() ? 0 : row_.keys[order.front()].gap;
    for (std::size_t n : order) {
      absorb(n, exp_double(row_.keys[n].gap - gap));
      gap = row_.keys[n].gap;
      visit(sums_);
    }
  }

 private:
  void absorb(std::size_t n, double factor) {
    for (std::size_t d = 0; d + 1 < sums_.size(); ++d)
      sums_[d] = sums_[d] * factor +
                 std::fabs(row_.value(problem_, place_, n, static_cast<std::int64_t>(d)));
    sums_.back() = sums_.back() * factor + 1;
  }

  const problem& problem_;
  row_index place_;
  const exact_row& row_;
  std::vector<double> sums_;
};

// What an accumulator may hold while a smaller maximum is in force; without rescaling only the last
// one counts.
bool running_sums_fit(const contract& c, const problem& p, const row_index& place,
                      const exact_row& row) {
  std::vector<double> largest(row.output.size() + 1);
  running_sums(p, place, row).for_each_maximum([&](const std::vector<double>& sums) {
    for (std::size_t d = 0; d < sums.size(); ++d)
      largest[d] = c.may_rescale ? std::max(largest[d], sums[d]) : sums[d];
  });
  const double weight = largest_weight(c, row);
  const auto holds = [&](double sum) {
    return fits(weight * sum, c.output_sum) &&
           (c.merges == 0 || fits(weight * sum, c.partial_storage));
  };
  return fits(weight * largest.back(), c.weight_sum) &&
         std::all_of(largest.begin(), largest.end() - 1, holds);
}

}  // namespace

bool stages_hold(const contract& c, const problem& p, const row_index& place, const exact_row& row,
                 double largest_value_sum) {
  const double weight = largest_weight(c, row);
  if (!converted_fit(c, c.v_conversion, largest_value_sum) || !scores_fit(c, row) ||
      !(weight <= largest_finite(*c.weight_storage.number)) ||
      !dropout_error(c, p).fits(weight, place, row))
    return false;
  const bool surely = fits(weight * static_cast<double>(row.keys.size()), c.weight_sum) &&
                      fits(weight * largest_value_sum, c.output_sum) &&
                      (c.merges == 0 || fits(weight * largest_value_sum, c.partial_storage));
  return surely || running_sums_fit(c, p, place, row);
}

}  // namespace attest
