#include "properties/corpus/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace attest {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &length, EVP_sha256(), nullptr) != 1 ||
      length != sha256_bytes)
    throw std::runtime_error("SHA-256 is not to be had from OpenSSL");
  std::string digits;
  for (std::size_t n = 0; n < sha256_bytes; ++n) digits += fmt::format("{:02x}", hash[n]);
  return digits;
}

}  // namespace attest
