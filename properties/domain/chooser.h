// The choices of one problem, by RapidCheck's generators.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace attest {

// Each choice takes the next number: ask in a fixed order.
class chooser {
 public:
  explicit chooser(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t n) {
    return rc::gen::inRange<std::int64_t>(0, n)(random_.split(), rc::kNominalSize).value();
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T among(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }
  std::uint64_t bits() { return random_.split().next(); }

 private:
  rc::Random random_;
};

// FNV-1a, so that properties and groups draw apart.
inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace attest
