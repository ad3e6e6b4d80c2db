#include "derivation/unlucky/unlucky_unit.h"

#include <algorithm>
#include <cmath>

#include "derivation/bounds/roundings.h"
#include "reference/formats/spacing.h"

namespace attest {
namespace {

constexpr double function_error = 0x1p-53;  // of the exact value that a function is given as

real with_error(const real& x, double error) { return x + real{error, 0}; }

// No function that is approximated crosses 0 where its exact value does not.
real on_its_side(const real& x, const real& exact) {
  return (x.hi < 0) == (exact.hi < 0) ? x : real{0, 0};
}

}  // namespace

std::string_view name_of(pressure p) {
  constexpr std::string_view names[] = {"nearest", "up", "down", "random", "away"};
  return names[static_cast<std::size_t>(p)];
}

double unlucky_unit::side(double away) {
  switch (habit_.push) {
    case pressure::up:
      return 1;
    case pressure::down:
      return -1;
    case pressure::away:
      if (away != 0) return away > 0 ? 1 : -1;
      break;
    case pressure::nearest:
    case pressure::random:
      break;
  }
  return draws_.one_in(2) ? 1 : -1;
}

bool unlucky_unit::flushes(double size) const {
  return habit_.flushes && stage_.subnormals == subnormal_mode::flushed &&
         size < smallest_normal(*stage_.number);
}

real unlucky_unit::read(const real& x) const { return flushes(std::fabs(x.hi)) ? real{0, 0} : x; }

bool unlucky_unit::may_err(double side, bool negative) const {
  switch (stage_.mode) {
    case rounding_mode::up:
      return side > 0;
    case rounding_mode::down:
      return side < 0;
    case rounding_mode::to_zero:
      return (side < 0) != negative;
    case rounding_mode::nearest_even:
    case rounding_mode::stochastic:
      break;
  }
  return true;
}

// Towards 0 a number that underflows loses no more than itself; nor does it gain more to nearest.
real unlucky_unit::pushed(const real& exact, double away) {
  const stage kept{stage_.number, stage_.mode};
  const double size = std::fabs(exact.hi), to = side(away);
  const bool negative = exact.hi < 0, shrinks = (to < 0) != negative;
  if (!may_err(to, negative)) return exact;
  if (size >= smallest_normal(number())) return with_error(exact, to * unit_of(kept) * size);
  const bool bounded = shrinks || stage_.mode == rounding_mode::nearest_even;
  return with_error(exact,
                    to * (bounded ? std::min(size, underflow_of(kept)) : underflow_of(kept)));
}

real unlucky_unit::rounded(const real& exact, double away) {
  if (is_zero(exact)) return {0, 0};
  const double size = std::fabs(exact.hi);
  if (!pushes()) {
    const rounding how{stage_.mode, habit_.flushes ? stage_.subnormals : subnormal_mode::kept,
                       overflow_mode::to_infinity};
    return {round_to(*stage_.number, how, exact.hi, exact.lo, draws_.bits()), 0};
  }
  if (flushes(size)) return {0, 0};
  return pushed(exact, away);
}

real unlucky_unit::multiplied(const real& a, const real& b, double away) {
  if (is_one(a)) return b;
  return is_one(b) ? a : rounded(product(a, b), away);
}

real unlucky_unit::added(const real& a, const real& b, double away) {
  if (is_zero(a)) return b;
  return is_zero(b) ? a : rounded(a + b, away);
}

real unlucky_unit::off_by_ulps(const real& exact, double ulps, double away) {
  if (is_zero(exact)) return {0, 0};
  const double size = std::fabs(exact.hi);
  const double counted = ulps * spacing_at(number(), size) - function_error * size;
  if (flushes(size)) return {0, 0};
  if (pushes()) return on_its_side(with_error(exact, side(away) * std::max(0.0, counted)), exact);
  const double rest = std::max(0.0, counted - 0.5 * spacing_at(number(), size));
  const real off = on_its_side(with_error(exact, (2 * draws_.unit() - 1) * rest), exact);
  return {round_to(number(), {}, off.hi, off.lo), 0};
}

real unlucky_unit::off_by_share(const real& exact, double share, double away) {
  const double most = std::max(0.0, share - function_error) * std::fabs(exact.hi);
  if (pushes()) return rounded(with_error(exact, side(away) * most), away);
  return rounded(with_error(exact, (2 * draws_.unit() - 1) * most), away);
}

}  // namespace attest
