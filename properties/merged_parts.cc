#include "properties/merged_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int bits = 192;
constexpr double relative_error = 0x1p-150;

// Of a sum of terms that add up to `size` in absolute value.
enclosure enclosed(const mpfr_real& x, double size) {
  const double high = to_double(x);
  const double low = std::isfinite(high) ? to_double(x - mpfr_real(high)) : 0;
  // What two doubles do not hold of it, and what its computation lost.
  const double radius = 0x1p-104 * std::fabs(high) + relative_error * size + 0x1p-1074;
  return {high, low, std::isfinite(high) ? radius : 0};
}

class merger {
 public:
  merger(std::span<const row_part> parts, lse_base base) : parts_(parts) {
    greatest_ = -infinity;
    for (const row_part& s : parts) greatest_ = std::max(greatest_, s.lse);
    unit_ = base == lse_base::two ? log(mpfr_real(2)) : mpfr_real(1);
    for (const row_part& s : parts) {
      weights_.push_back(exp((mpfr_real(s.lse) - mpfr_real(greatest_)) * unit_));
      mass_ = mass_ + weights_.back();
    }
  }

  bool is_empty() const {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const row_part& s) { return s.lse == -infinity; });
  }

  enclosure lse() const {
    return enclosed(mpfr_real(greatest_) + log(mass_) / unit_, 2 + std::fabs(greatest_));
  }

  enclosure output(std::size_t d) const {
    mpfr_real sum;
    double size = 0;
    for (std::size_t s = 0; s < parts_.size(); ++s) {
      sum = sum + weights_[s] * mpfr_real(parts_[s].output[d]);
      size = std::max(size, std::fabs(parts_[s].output[d]));
    }
    return enclosed(sum / mass_, size);
  }

 private:
  std::span<const row_part> parts_;
  double greatest_;
  mpfr_real unit_;  // of the lse, in base e
  std::vector<mpfr_real> weights_;
  mpfr_real mass_;
};

}  // namespace

merged_row merge(std::span<const row_part> parts, lse_base base) {
  const working_precision scope(bits);
  const merger m(parts, base);
  const std::size_t width = parts.front().output.size();
  if (m.is_empty()) return {{-infinity, 0, 0}, std::vector<enclosure>(width)};
  merged_row row;
  row.lse = m.lse();
  for (std::size_t d = 0; d < width; ++d) row.output.push_back(m.output(d));
  return row;
}

}  // namespace attest
