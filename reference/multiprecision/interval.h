// A closed interval of the real line with ends in MPFR, rounded outwards: what is computed with it
// is proved.
//
// Every operation f contains f(x, y) for all real x, y in its operands. Where f is not defined for
// some of them, the result is the whole line, which says nothing. An end may be infinite; none is
// ever NaN.
#pragma once

#include <mpfr.h>

#include <string>
#include <vector>

namespace attest {

// Finer than the 2^-200 that the reference claims; and coarser than mpfr100, so that a result
// correctly rounded to its 334 bits cannot leave the interval of the exact one.
inline constexpr mpfr_prec_t interval_bits = 256;

// While it lives, the intervals that this thread computes have ends of that many bits instead.
class interval_precision {
 public:
  // Domain: 53 or more, so that every double is a point.
  explicit interval_precision(mpfr_prec_t bits);
  ~interval_precision();
  interval_precision(const interval_precision&) = delete;
  interval_precision& operator=(const interval_precision&) = delete;

  // Result: of the innermost scope; interval_bits outside any.
  static mpfr_prec_t bits();

 private:
  mpfr_prec_t previous_;
};

// One end: an MPFR number, as a value. A copy keeps every bit of what it copies.
class interval_end {
 public:
  interval_end() {
    mpfr_init2(value_, interval_precision::bits());
    mpfr_set_zero(value_, 1);
  }
  interval_end(const interval_end& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  interval_end& operator=(const interval_end& other) {
    if (this == &other) return *this;
    mpfr_set_prec(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~interval_end() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

class interval {
 public:
  interval() = default;         // the point 0
  explicit interval(double x);  // the point x; the whole line for NaN
  // Domain: lower <= upper. Special: the whole line if either is NaN.
  interval(const interval_end& lower, const interval_end& upper);

  static interval between(double lower, double upper);
  static interval whole_line();

  mpfr_srcptr lower() const { return lower_.get(); }
  mpfr_srcptr upper() const { return upper_.get(); }

 private:
  interval_end lower_, upper_;
};

interval operator+(const interval&, const interval&);
interval operator-(const interval&, const interval&);
// Special: the whole line where 0 meets an infinite end.
interval operator*(const interval&, const interval&);
// Special: the whole line when the divisor contains 0.
interval operator/(const interval&, const interval&);

interval exp(const interval&);
interval tanh(const interval&);
// Special: the whole line when the operand reaches below 0; the log of 0 is -inf.
interval log(const interval&);
interval sqrt(const interval&);

// The greater of a number in x and one in y.
interval max_of(const interval& x, const interval& y);

// Compares midpoints. It decides nothing: the definition asks for it only to choose the shift of a
// softmax, and any shift is right.
bool operator<(const interval&, const interval&);

// Computes: whether every number of x lies below every number of y. Disjoint: one is certainly
// less.
bool certainly_less(const interval& x, const interval& y);
bool disjoint(const interval&, const interval&);
bool contains(const interval&, mpfr_srcptr);
bool contains(const interval&, double);
// Computes: whether both have the very same ends.
bool identical(const interval&, const interval&);
// Whether neither end is infinite.
bool is_finite(const interval&);
bool all_finite(const std::vector<interval>&);
// Whether it holds 0 alone.
bool is_zero(const interval&);
// 1 for numbers above 0, 0 for others, and all between where it holds both.
interval step_of(const interval&);
// Computes: x^exponent for numbers above 0, 0 for others. Special: the whole line where that has no
// bound.
interval power_of(const interval& x, const interval& exponent);
// Result: intervals such that the n-th greatest of numbers in xs lies in the n-th.
std::vector<interval> in_descending_order(const std::vector<interval>& xs);

// Result: upper - lower, rounded up; NaN only when both ends are the same infinity.
double width(const interval&);

// Result: `count` significant digits, zeros at the end kept, where both ends round to them alike;
// empty where they do not. A zero is "0".
std::string certain_significant(const interval&, int count);

// Result: the number with as many decimals, at most `most`, as both ends round to alike; "?" when
// not even the integer is certain.
std::string certain_decimals(const interval&, int most);

}  // namespace attest
