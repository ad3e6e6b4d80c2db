// Files as the tests write them by hand, and what the readers say to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/input_error.h"

namespace attest {

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

inline std::string little_endian(std::uint64_t number, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> 8 * i & 0xff);
  return bytes;
}

// Result: what the input_error says; "accepted" without one.
template <class Read>
std::string message_of(Read read) {
  try {
    read();
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace attest
