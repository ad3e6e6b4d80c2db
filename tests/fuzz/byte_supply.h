// Numbers from the bytes of a fuzzer, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attest {

// The bytes in turn; zeros behind them.
class byte_supply {
 public:
  byte_supply(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  std::int64_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::int64_t below(std::int64_t n) { return next() % n; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace attest
