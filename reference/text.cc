#include "reference/text.h"

#include <charconv>

#include "reference/input_error.h"

namespace attest {
namespace {

template <class Number>
Number parse(std::string_view text, std::string_view what, const char* allowed) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end)
    throw input_error(std::string(what) + " is '" + std::string(text) + "' (allowed: " + allowed +
                      ")");
  return value;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::int64_t parse_integer(std::string_view text, std::string_view what) {
  return parse<std::int64_t>(text, what, "a whole number");
}

std::uint64_t parse_unsigned(std::string_view text, std::string_view what) {
  return parse<std::uint64_t>(text, what, "a whole number from 0 to 2^64 - 1");
}

double parse_double(std::string_view text, std::string_view what) {
  return parse<double>(text, what, "a number");
}

std::string to_text(double x) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
  static_cast<void>(error);  // 32 characters hold any shortest double
  return {buffer, end};
}

}  // namespace attest
