// The numbers of a format in their order, and the points half-way between them.
#pragma once

#include <cstdint>

#include "reference/formats/format.h"

namespace attest {

// significand 2^exponent: any number of any format, and any point between two neighbours.
struct dyadic {
  std::int64_t significand = 0;
  int exponent = 0;

  friend bool operator==(const dyadic&, const dyadic&) = default;
};

// An ordinal counts the numbers of a format from 0 (both zeros): 1 is the smallest positive one, -1
// its negative. One past the largest stands for all that rounds to no finite number. An ordinal is
// even where the last bit of the significand is 0.

// Result: of the largest finite number.
std::int64_t last_ordinal(const format&);
// Domain: a number of the format. Special: an infinity is one past the largest number.
std::int64_t ordinal(const format&, double number);
// Special: past the largest number an infinity, or NaN in a format without; 0 gives +0.
double number_at(const format&, std::int64_t ordinal);

// Computes: the number, exactly; past the largest, what would be next if exponents went on.
dyadic point_at(const format&, std::int64_t ordinal);
// Computes: the point half-way between the number and the next greater one.
dyadic midpoint_after(const format&, std::int64_t ordinal);

}  // namespace attest
