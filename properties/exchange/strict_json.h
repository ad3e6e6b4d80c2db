// JSON from outside: what the library forgives is refused.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace attest {

// What is parsed, for messages and limits.
struct json_text {
  std::string_view where;    // the file
  std::string_view noun;     // "header"
  int depth_limit;           // objects and lists inside one another, the outermost is 0
  std::string_view nesting;  // what is allowed instead of deeper nesting
  std::string_view numbers;  // and instead of a number that no double holds
  std::uint64_t start = 0;   // of the text in the file, in bytes
};

// Result: the value. Error: input_error for what is no JSON in UTF-8, a name twice in an object,
// nesting beyond the limit, a number that no double holds.
nlohmann::json parse_strict_json(std::string_view text, const json_text&);

}  // namespace attest
