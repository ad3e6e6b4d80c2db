// Comparing what a subject answered with what its contract allows.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "derivation/bounds/forward.h"
#include "properties/examiner.h"
#include "properties/verdict.h"
#include "reference/backends/answer.h"
#include "reference/certified/certified_rows.h"

namespace attest {

// The share of the hull (or of 1, for a log or a sum of weights) above which a bound says too
// little to decide.
inline constexpr double vacuous_share = 0.25;

// Where an output element is: "o[b=0,h=1,i=2,d=3]".
std::string place_of(const char* tensor, const row_index&, std::int64_t d);

// What is due at one element. Beyond the bound it is proved wrong; beyond the likely one it is
// right with no more than the assurance's probability.
struct due {
  enclosure value;
  double bound = 0;
  double scale = 0;             // a bound above vacuous_share of it is undecided; 0: never
  const format* stored = &f32;  // beyond its largest finite number an infinity is allowed
  double likely = std::numeric_limits<double>::infinity();
};

// Whether what is stored may be an infinity, or the largest number in place of one.
bool may_overflow(const due&);

// Compares classes first, then the distance with the bound, and adds the result to the judgement.
void judge_element(judgement&, const due&, double observed, const std::string& where,
                   const char* what);

// The exact row and its bound, kept together: as the fast engine gives it, or in multiprecision
// where its radius is not far below the bound.
class row_reference {
 public:
  row_reference(certified_rows&, const terms&, const row_index&);
  row_reference(const row_reference&) = delete;
  row_reference& operator=(const row_reference&) = delete;

  const exact_row& exact() const { return exact_; }
  const forward_bound& bound() const { return *bound_; }
  due output(std::int64_t d) const;
  due lse() const;

 private:
  bool is_certain() const;
  enclosure as_stored(enclosure) const;

  const terms terms_;

  exact_row exact_;
  std::optional<forward_bound> bound_;
};

// Whether the semantics says what an empty row holds, or a row of the sink alone has for its lse
// (otherwise there is nothing to compare).
bool output_is_specified(const problem&, const exact_row&);
bool lse_is_specified(const problem&, const exact_row&);

// Judges every element of o, and of lse where it was returned, against the definition.
judgement judge_answer(const problem&, const answer&, const terms&);

}  // namespace attest
