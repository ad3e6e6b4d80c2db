#include "reference/certified/logit_rule.h"

#include <cmath>

#include "reference/certified/budget.h"
#include "reference/certified/exponential.h"
#include "reference/certified/nearest.h"

namespace attest {
namespace {

bool is_power_of_two(const double_double& x) {
  int exponent = 0;
  return x.lo == 0 && std::fabs(std::frexp(x.hi, &exponent)) == 0.5;
}

}  // namespace

logit_rule rule_of(const problem& p) {
  const double_double c = nearest_scale(p);
  logit_rule rule{.scale_high = c.hi, .scale_low = c.lo};
  rule.scale_error = is_power_of_two(c) ? 0 : product_error;
  rule.cap = p.soft_cap;
  rule.cap_last = p.rules.caps_bias();
  rule.weight_error = exponential_error;
  if (rule.cap > 0) {
    const double_double inverse = nearest_inverse(rule.cap);
    rule.inverse_cap_high = inverse.hi;
    rule.inverse_cap_low = inverse.lo;
    rule.weight_error += rule.cap * (tanh_error + cap_error);
  }
  return rule;
}

}  // namespace attest
