// On which side of a number an exact answer lies: decided at rising precision (Ziv's strategy), and
// equality by proof.
#pragma once

#include <cstdint>
#include <memory>

#include "reference/definition/key_set.h"
#include "reference/formats/ordinal.h"

namespace attest {

enum class side : std::uint8_t { below, at, above, unknown };

inline constexpr int highest_precision = 16384;

// Asks about one row. What an answer needs is computed once: the groups of equal logits, and the
// exponentials at the highest precision asked for so far.
class rising_row {
 public:
  // The problem must outlive it.
  rising_row(const problem&, const row_index&);
  ~rising_row();
  rising_row(rising_row&&) noexcept;
  rising_row& operator=(rising_row&&) noexcept;

  // Computes: the side of x on which the exact output at column d (the exact lse, in the base that
  //   the semantics declares) lies.
  // Domain: an output (an lse) that is finite; no soft cap over a score that is not.
  // Result: `at` only where equality is proved (derivation/bounds/exact_ties.md); `unknown` where
  //   highest_precision does not tell, which without a soft cap takes sums of exponentials that
  //   agree to that many bits.
  // Cost: the exponentials of the row at 256 bits, twice as many as often as needed.
  side output_side(std::int64_t d, const dyadic& x);
  side lse_side(const dyadic& x);

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace attest
