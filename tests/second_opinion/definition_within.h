// Whether the definition, in a number of 50 or of 100 digits, lies in the certified enclosures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/certified/certified.h"

namespace attest::second_opinion {

// Such a number: its rows as text (tests/reference/backends/digits.h), the digits to ask for, and
// what its own error stays below, of sum a|v| (of 1 for the lse) for scores of size 1.
struct defining_number {
  std::vector<std::string> (*row)(const problem&, const row_index&, int digits);
  int digits;
  double own_error;
};

extern const defining_number fifty_digits;
extern const defining_number hundred_digits;

// Computes: the first output or lse of the definition that lies outside its enclosure widened by
// the number's own error, in the rows number 0, step, 2 step, ...; nothing where all lie inside.
// Domain: the answer has magnitudes.
std::optional<std::string> escapes(const problem&, const certified_answer&, const defining_number&,
                                   std::size_t step = 1);

}  // namespace attest::second_opinion
