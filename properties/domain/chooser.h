// The choices of one problem, by RapidCheck's generators.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace attest {

// Each choice takes the next number: ask in a fixed order.
class chooser {
 public:
  explicit chooser(std::uint64_t seed);
  ~chooser();
  chooser(const chooser&) = delete;
  chooser& operator=(const chooser&) = delete;

  // Result: 0, ..., n - 1.
  std::int64_t below(std::int64_t n);
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T among(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }
  std::uint64_t bits();

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
};

// FNV-1a, so that properties and groups draw apart.
std::uint64_t hash_of(std::string_view);

}  // namespace attest
