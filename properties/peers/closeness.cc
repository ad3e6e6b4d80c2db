#include "properties/peers/closeness.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

// Computes: the sum of term(x, y) over the elements.
template <class Term>
double sum(numbers x, numbers y, Term term) {
  double total = 0;
  for (std::size_t n = 0; n < x.size(); ++n) total += term(x[n], y[n]);
  return total;
}

double product(double x, double y) { return x * y; }
double squared_error(double x, double y) { return (x - y) * (x - y); }

bool is_close(double x, double y, const tolerance& t, nan_pairs pairs) {
  if (std::isnan(x) && std::isnan(y)) return pairs == nan_pairs::agree;
  const double error = std::fabs(x - y);
  return x == y || (std::isfinite(error) && error <= t.absolute + t.relative * std::fabs(y));
}

}  // namespace

bool all_close(numbers x, numbers y, const tolerance& t, nan_pairs pairs) {
  for (std::size_t n = 0; n < x.size(); ++n)
    if (!is_close(x[n], y[n], t, pairs)) return false;
  return true;
}

double largest_error(numbers x, numbers y) {
  double largest = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double error = std::fabs(x[n] - y[n]);
    if (std::isnan(error)) return error;
    largest = std::max(largest, error);
  }
  return largest;
}

double mean_error(numbers x, numbers y) {
  return sum(x, y, [](double a, double b) { return std::fabs(a - b); }) /
         static_cast<double>(x.size());
}

double mean_square_error(numbers x, numbers y) {
  return sum(x, y, squared_error) / static_cast<double>(x.size());
}

double cosine_similarity(numbers x, numbers y) {
  constexpr double least_norm = 1e-8;
  const double norms = std::sqrt(sum(x, x, product)) * std::sqrt(sum(y, y, product));
  return sum(x, y, product) / std::max(norms, least_norm);
}

}  // namespace attest
