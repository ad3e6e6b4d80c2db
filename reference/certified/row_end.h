// What becomes of a row's sums: its mass and weighted values as enclosures of l, o and lse.
#pragma once

#include "reference/certified/stages.h"
#include "reference/elementary/double_double.h"
#include "reference/exact/enclosure.h"

namespace attest {

// A sum in three doubles: each addition loses less than 2^-100 of what the sum has been.
class triple_sum {
 public:
  void add(double x);
  void scale(double power_of_two);
  double_double value() const;

 private:
  double part_[3] = {};
};

// The sum of a row's weights, over 2^power.
class row_mass {
 public:
  // Adds a block's weights. Result: what the row's values need: factors and errors.
  value_row add(const row_weights&);
  // Adds the weight e^logit of a sink. Domain: |logit| <= most_logit.
  void add_sink(double logit);

  bool any() const { return any_; }
  int power() const { return power_; }
  double lost() const { return lost_; }  // what was left out, over 2^power
  double_double mass() const { return mass_.value(); }
  double radius() const;

  // Computes: ln l = ln(mass) + power ln 2.
  enclosure log() const;

 private:
  // Moves the sums to the power that takes `power` too. Result: the factors of what was there, and
  // of what comes with `power`.
  struct factors {
    double keep, add;
  };
  factors rise_to(int power);

  bool any_ = false;
  int power_ = 0;
  double additions_ = 0;
  triple_sum mass_;
  double radius_ = 0;
  double lost_ = 0;
};

constexpr double cubed(double x) { return x * x * x; }

// Computes: 1 / x. Domain: x.radius < x.high / 2^10.
enclosure inverse(const enclosure& x);

// Computes: x y.
enclosure product(const enclosure& x, const enclosure& y);

// Computes: a + b + c as a double-double. Error: renormalisation_error, relative to the largest.
double_double renormalised(double a, double b, double c);

// Computes: x / ln 2.
enclosure in_base_2(const enclosure& x);

}  // namespace attest
