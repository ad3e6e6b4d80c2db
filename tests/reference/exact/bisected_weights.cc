#include "tests/reference/exact/bisected_weights.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "reference/exact/interval_weights.h"
#include "reference/random.h"

namespace attest {
namespace {

using real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                           boost::multiprecision::et_off>;

constexpr int steps = 330;  // of [m - 1, m]: to 2^-330
constexpr double own_error = 1e-85;

real power(const real& x, double exponent) {
  if (!(x > 0)) return 0;
  if (exponent == 1) return x;
  if (exponent == 2) return x * x;
  return pow(x, real(exponent));
}

// 1 / (alpha - 1), where that is a double; otherwise computed to 100 digits below.
struct entmax {
  real less_1, exponent;

  explicit entmax(double alpha) : less_1(real(alpha) - 1), exponent(real(1) / less_1) {}

  real weight(double logit, const real& tau) const {
    const real part = less_1 * real(logit) - tau;
    if (!(part > 0)) return 0;
    const auto whole = exponent.convert_to<double>();
    return whole == 1 || whole == 2 ? power(part, whole) : real(pow(part, exponent));
  }
  real sum(const std::vector<double>& logits, const real& tau) const {
    real all = 0;
    for (double t : logits) all += weight(t, tau);
    return all;
  }
};

std::vector<real> bisected(const drawn_logits& x) {
  const entmax by(x.alpha);
  const real greatest = by.less_1 * real(*std::max_element(x.logits.begin(), x.logits.end()));
  real low = greatest - 1, high = greatest;
  for (int n = 0; n < steps; ++n) {
    const real middle = (low + high) / 2;
    (by.sum(x.logits, middle) >= 1 ? low : high) = middle;
  }
  std::vector<real> weights;
  for (double t : x.logits) weights.push_back(by.weight(t, (low + high) / 2));
  return weights;
}

real to_real(mpfr_srcptr x) {
  real sum = 0;
  mpfr_t rest;
  mpfr_init2(rest, mpfr_get_prec(x));
  mpfr_set(rest, x, MPFR_RNDN);
  for (int n = 0; n < 12 && mpfr_zero_p(rest) == 0; ++n) {
    const double part = mpfr_get_d(rest, MPFR_RNDZ);
    sum += real(part);
    mpfr_sub_d(rest, rest, part, MPFR_RNDN);
  }
  mpfr_clear(rest);
  return sum;
}

std::string disagreement(const interval& enclosed, const real& weight, std::size_t n) {
  // A root of a small number magnifies what bisection leaves.
  const real slack = real(own_error) + real(1e-40) * weight * (weight < real(1e-30) ? 1 : 0);
  if (weight < to_real(enclosed.lower()) - slack || weight > to_real(enclosed.upper()) + slack)
    return "weight " + std::to_string(n) + " is " + weight.str(40);
  return width(enclosed) <= 0x1p-110 ? "" : "weight " + std::to_string(n) + " is not known";
}

}  // namespace

drawn_logits draw_logits(std::uint64_t seed, std::uint64_t number) {
  constexpr double alphas[] = {1.5, 2, 1.25, 1.75, 2.5, 3, 1.1, 4};
  constexpr double sizes[] = {0.25, 1, 1, 4, 1000};
  std::uint64_t draws = number << 8;
  const auto below = [&](std::uint64_t n) { return random_below(seed, 1, draws++, n); };
  drawn_logits drawn;
  drawn.alpha = alphas[below(std::size(alphas))];
  const double size = sizes[below(std::size(sizes))];
  const bool ties = below(3) == 0;
  const std::uint64_t count = 1 + below(6);
  for (std::uint64_t n = 0; n < count; ++n) {
    const double t = size * random_normal(seed, 2, draws++);
    drawn.logits.push_back(ties ? std::round(2 * t) / 2 : t);
  }
  return drawn;
}

std::string disagreement_with_bisection(const drawn_logits& x,
                                        const std::vector<interval>& weights) {
  const std::vector<real> due = bisected(x);
  for (std::size_t n = 0; n < due.size(); ++n)
    if (std::string found = disagreement(weights[n], due[n], n); !found.empty())
      return found + " at alpha " + std::to_string(x.alpha);
  return "";
}

std::string disagreement_with_bisection(const drawn_logits& x) {
  std::vector<interval> logits;
  for (double t : x.logits) logits.emplace_back(t);
  for (const auto& [by, alpha] : {std::pair{normalizer::sparsemax, 2.0},
                                  {normalizer::entmax_1_5, 1.5},
                                  {normalizer::alpha_entmax, x.alpha}}) {
    const drawn_logits posed{x.logits, alpha};
    if (std::string found = disagreement_with_bisection(posed, enclose_weights(by, alpha, logits));
        !found.empty())
      return found;
  }
  return "";
}

}  // namespace attest
