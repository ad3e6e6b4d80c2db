// How far two decimal numbers agree: the evidence of a claim checked by two multiprecision
// evaluations.
#pragma once

#include <string>

namespace attest {

// The most digits that agreement is looked for; both texts should carry more, or end exactly.
inline constexpr int most_digits = 99;

// Computes: the greatest n <= most_digits with |a - b| <= 10^-n max(|a|, |b|); 0 when they differ
// in size or sign. Domain: decimal numbers, finite.
int agreeing_digits(const std::string& a, const std::string& b);

// Result: the number to as many significant digits, at most `most`, as both round to alike; "?"
// when to none.
std::string shared_digits(const std::string& a, const std::string& b, int most);

}  // namespace attest
