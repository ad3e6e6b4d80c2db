// Splitting and strict reading of short texts: problem lines, lists of names, numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// Computes: the pieces between separators, empty ones included; one empty piece for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

// Result: the whole text as a number. what: its name in the message.
// Error: input_error when anything but one number in range is there (no sign for unsigned, no
// blanks).
std::int64_t parse_integer(std::string_view text, std::string_view what);
std::uint64_t parse_unsigned(std::string_view text, std::string_view what);
double parse_double(std::string_view text, std::string_view what);

// Computes: the shortest decimal that reads back as x ("0.1", "1e+30", "-inf", "nan").
std::string to_text(double x);

}  // namespace attest
