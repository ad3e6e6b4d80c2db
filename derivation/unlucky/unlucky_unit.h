// A stage of arithmetic whose every rounding is as unlucky as the stage allows.
#pragma once

#include <string_view>

#include "derivation/bounds/roundings.h"
#include "derivation/unlucky/luck.h"
#include "derivation/unlucky/real.h"
#include "reference/contract/contract.h"

namespace attest {

// Where rounding errors go. Under `nearest` every result is a number of its format, rounded as the
// stage says. Under the others a result is the exact one times 1 + d (or plus e, where it
// underflows) with d and e as large as the model of derivation/bounds/forward.md allows: u to
// either side for a stage that rounds to nearest; 2 u for one that does not, and only to the side
// to which its mode can err.
enum class pressure : std::uint8_t {
  nearest,
  up,
  down,
  random,  // to a side drawn for each
  away,    // to the side that takes the answer further from the truth
};

inline constexpr int pressure_count = 5;
std::string_view name_of(pressure);

// How one evaluation rounds.
struct rounding_habit {
  pressure push = pressure::nearest;
  bool flushes = false;  // subnormal numbers, in the stages that may
};

class unlucky_unit {
 public:
  unlucky_unit(const stage& s, const rounding_habit& habit, luck& draws)
      : stage_(s), habit_(habit), draws_(draws) {}

  const format& number() const { return *stage_.number; }
  bool pushes() const { return habit_.push != pressure::nearest; }
  // Whether s + x, rounded, is off by x at most, where s is a number of the format.
  bool errs_within_addend() const { return rounds_within_itself(stage_); }

  // Computes: the exact number after one rounding. away: its sign is the side to which `away` goes.
  // Special: 0 stays 0.
  real rounded(const real& exact, double away);
  // Computes: a b, rounded unless a factor is 1; a / b; a + b, exact where either is 0.
  real multiplied(const real& a, const real& b, double away);
  real divided(const real& a, const real& b, double away) { return rounded(quotient(a, b), away); }
  real added(const real& a, const real& b, double away);

  // Computes: the value of a function that may be off by so many ulps of the format, or by so large
  // a share of it; its own rounding included. exact may be off by 2^-53 of itself, which is
  // counted.
  real off_by_ulps(const real& exact, double ulps, double away);
  real off_by_share(const real& exact, double share, double away);

  // Computes: an operand as the unit reads it: 0 for a subnormal one where the unit flushes.
  real read(const real& x) const;

  // Computes: +1 or -1, the side to which this rounding is pushed.
  double side(double away);

 private:
  bool flushes(double size) const;
  real pushed(const real& exact, double away);
  bool may_err(double side, bool negative) const;

  stage stage_;
  rounding_habit habit_;
  luck& draws_;
};

}  // namespace attest
