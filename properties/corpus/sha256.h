// The hash that files and problems of a corpus are known by. sha256.cc alone knows OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace attest {

inline constexpr std::size_t sha256_bytes = 32;

// Result: the SHA-256 of the bytes, 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

}  // namespace attest
