// What the definition needs of a number, and the elementary functions of the hardware ones.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include "reference/elementary/elementary.h"

namespace attest {

inline double exp_of(double x) { return exp_double(x); }
inline double log_of(double x) { return log_double(x); }
inline double tanh_of(double x) { return tanh_double(x); }
inline double sqrt_of(double x) { return std::sqrt(x); }

// A float function is the double one, rounded: within 0.5001 ulp.
inline float exp_of(float x) { return static_cast<float>(exp_double(x)); }
inline float log_of(float x) { return static_cast<float>(log_double(x)); }
inline float tanh_of(float x) { return static_cast<float>(tanh_double(x)); }
inline float sqrt_of(float x) { return std::sqrt(x); }

// Other numbers bring exp, log, tanh and sqrt in their own namespace, as Boost's do.
template <class T>
requires std::is_class_v<T> T exp_of(const T& x) { return T(exp(x)); }
template <class T>
requires std::is_class_v<T> T log_of(const T& x) { return T(log(x)); }
template <class T>
requires std::is_class_v<T> T tanh_of(const T& x) { return T(tanh(x)); }
template <class T>
requires std::is_class_v<T> T sqrt_of(const T& x) { return T(sqrt(x)); }

// Computes: the greater of two. An interval brings its own, for the greater of two unknown numbers.
template <class T>
T max_of(const T& x, const T& y) {
  return x < y ? y : x;
}

// Computes: whether a number is 0. An interval brings its own: whether it can't be anything else.
template <class T>
bool is_zero(const T& x) {
  return !(x < T(0)) && !(T(0) < x);
}

// Computes: 1 above 0, otherwise 0. An interval brings its own, for what may be on either side.
template <class T>
T step_of(const T& x) {
  return T(T(0) < x ? 1 : 0);
}

template <class T>
concept Number = std::constructible_from<T, double> && requires(T x, T y) {
  {T(x + y)};
  {T(x - y)};
  {T(x * y)};
  {T(x / y)};
  { x < y } -> std::convertible_to<bool>;
  { exp_of(x) } -> std::convertible_to<T>;
  { log_of(x) } -> std::convertible_to<T>;
  { tanh_of(x) } -> std::convertible_to<T>;
  { sqrt_of(x) } -> std::convertible_to<T>;
};

}  // namespace attest
