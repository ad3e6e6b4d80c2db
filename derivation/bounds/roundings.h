// What one rounding, and many of them, may do. The model: derivation/bounds/forward.md.
#pragma once

#include "reference/contract/contract.h"

namespace attest {

// What every contract allows to the logarithm of a sum of weights.
inline constexpr double log_ulps = 2;

// Computes: u, the relative error of one rounding; doubled where it is not to nearest.
double unit_of(const format&, rounding_mode);
double unit_of(const stage&);

// Computes: eta, the absolute error of one rounding that underflows.
double underflow_of(const format&, rounding_mode, subnormal_mode);
double underflow_of(const stage&);

// Computes: how often the argument of an exponential is rounded: its subtraction, then for each
// constant that it is multiplied by the constant and the product.
double argument_roundings(const contract&);

// Computes: the relative error of a store: 0 where it does not change the format.
double store_error(const stage& stored, const stage& computed);

// Computes: of two relative errors, (1 + a) (1 + b) - 1.
constexpr double both(double a, double b) { return a + b + a * b; }

// Computes: G_k(u) = (1 + u)^k - 1, of k roundings in a numerator; and its counterpart for a
// denominator, (1 - u)^-k - 1.
double growth(double k, double unit);
double shrinkage(double k, double unit);

// The fewest products that a matrix unit adds at once.
inline constexpr double fewest_fused_terms = 4;

// Computes: in how many groups a matrix unit adds terms that lie in so many positions, where there
// are so many merges; 0 where there is no such unit.
double fused_groups(const contract&, double terms, double positions, double merges);

// A sum of terms in one accumulator, in any order.
struct accumulation {
  double unit;   // relative error of one of its roundings
  double steps;  // roundings for each term

  double error() const { return growth(steps, unit); }
};

// Computes: what a term of a sum meets. groups: in how many groups a matrix unit adds the terms, 0
// where there is none. It aligns a group and the accumulator to the largest of them and truncates,
// which loses up to 2^(1-p) of the largest for each term and once more.
accumulation accumulate(double terms, const stage&, double groups);

// Computes: G_k(u) as it is except with probability 2 exp(-deviations^2 / 2), where errors are
// mean-independent: expm1((L sqrt(k) u + k u^2) / (1 - u)) (Higham and Mary 2019).
double likely_growth(double k, double unit, double deviations);

// Whether no rounding takes a number past a number of the format: one that underflows is never
// moved by more than itself, and a sum stays on the side of what is added.
bool rounds_within_itself(const stage&);

}  // namespace attest
