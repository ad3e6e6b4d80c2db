/* Numbers of few bits as doubles: reading, rounding and writing f16, bf16 and the 8-bit formats. */
#ifndef ATTEST_TESTS_MUTANTS_NUMBER_TYPES_H
#define ATTEST_TESTS_MUTANTS_NUMBER_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A sign bit, exponent bits and fraction bits; the exponent's bias is half its range. */
typedef struct number_type {
  int exponent_bits, fraction_bits;
  bool has_infinity; /* without it only the largest pattern is not a number */
} number_type;

static const number_type f16 = {5, 10, true}, bf16 = {8, 7, true}, tf32 = {8, 10, true},
                         e4m3fn = {4, 3, false}, e4m3 = {4, 3, true}, e5m2 = {5, 2, true};

static inline int exponent_bias(number_type n) { return (1 << (n.exponent_bits - 1)) - 1; }
static inline int greatest_exponent(number_type n) { return (1 << n.exponent_bits) - 1; }
static inline int fraction_mask(number_type n) { return (1 << n.fraction_bits) - 1; }

static inline double decoded(number_type n, uint32_t bits) {
  const int exponent = (int)(bits >> n.fraction_bits) & greatest_exponent(n);
  const int fraction = (int)bits & fraction_mask(n);
  const double sign = bits >> (n.exponent_bits + n.fraction_bits) & 1 ? -1 : 1;
  if (exponent == greatest_exponent(n) && n.has_infinity) return fraction ? NAN : sign * INFINITY;
  if (exponent == greatest_exponent(n) && fraction == fraction_mask(n)) return NAN;
  const int implied = exponent ? 1 << n.fraction_bits : 0;
  const int power = (exponent ? exponent : 1) - exponent_bias(n) - n.fraction_bits;
  return sign * ldexp(implied + fraction, power);
}

/* The distance of neighbouring numbers at a finite x other than 0. */
static inline double spacing(number_type n, double x) {
  const int exponent = ilogb(x), least = 1 - exponent_bias(n);
  return ldexp(1, (exponent > least ? exponent : least) - n.fraction_bits);
}

static inline double largest_of(number_type n) {
  const int top = greatest_exponent(n) - (n.has_infinity ? 1 : 0) - exponent_bias(n);
  return ldexp(2, top) - ldexp(n.has_infinity ? 1 : 2, top - n.fraction_bits);
}

/* The nearest number of the type, of two the even one; infinity beyond the largest. */
static inline double rounded(number_type n, double x) {
  if (x == 0 || !isfinite(x)) return x;
  const double result = rint(x / spacing(n, x)) * spacing(n, x);
  return fabs(result) > largest_of(n) ? copysign(INFINITY, x) : result;
}

/* The next number of the type on the way to 0. */
static inline double truncated(number_type n, double x) {
  if (x == 0 || !isfinite(x)) return x;
  return trunc(x / spacing(n, x)) * spacing(n, x);
}

/* The bits of x, which is a number of the type. */
static inline uint32_t encoded(number_type n, double x) {
  const uint32_t sign = signbit(x) ? 1u << (n.exponent_bits + n.fraction_bits) : 0;
  if (x == 0) return sign;
  if (!isfinite(x)) {
    const uint32_t infinity = (uint32_t)greatest_exponent(n) << n.fraction_bits;
    return sign | infinity | (isnan(x) || !n.has_infinity ? (uint32_t)fraction_mask(n) : 0);
  }
  const int exponent = ilogb(spacing(n, x)) + n.fraction_bits;
  const int significand = (int)(fabs(x) / spacing(n, x));
  /* The implied bit of a normal number carries into the exponent field, as 1. */
  const int field = exponent + exponent_bias(n) - 1;
  return sign | (uint32_t)((field << n.fraction_bits) + significand);
}

#endif /* ATTEST_TESTS_MUTANTS_NUMBER_TYPES_H */
