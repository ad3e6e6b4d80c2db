// A number whose every operation is rounded to a format: the definition at any precision.
#pragma once

#include "reference/definition/number.h"
#include "reference/formats/rounding.h"

namespace attest {

template <const format& Format>
class rounded_number {
 public:
  rounded_number() = default;
  explicit rounded_number(double x) : value_(round_to(Format, {}, x)) {}

  double value() const { return value_; }

  friend rounded_number operator+(const rounded_number& x, const rounded_number& y) {
    return rounded_number(x.value_ + y.value_);
  }
  friend rounded_number operator-(const rounded_number& x, const rounded_number& y) {
    return rounded_number(x.value_ - y.value_);
  }
  friend rounded_number operator*(const rounded_number& x, const rounded_number& y) {
    return rounded_number(x.value_ * y.value_);
  }
  friend rounded_number operator/(const rounded_number& x, const rounded_number& y) {
    return rounded_number(x.value_ / y.value_);
  }
  friend bool operator<(const rounded_number& x, const rounded_number& y) {
    return x.value_ < y.value_;
  }
  friend rounded_number exp(const rounded_number& x) {
    return rounded_number(exp_double(x.value_));
  }
  friend rounded_number log(const rounded_number& x) {
    return rounded_number(log_double(x.value_));
  }
  friend rounded_number tanh(const rounded_number& x) {
    return rounded_number(tanh_double(x.value_));
  }
  friend rounded_number sqrt(const rounded_number& x) {
    return rounded_number(std::sqrt(x.value_));
  }

 private:
  double value_ = 0;
};

}  // namespace attest
