// The memory of a tensor: bytes that are there, or address space of which only touched pages are.
#pragma once

#include <cstddef>
#include <vector>

#include "reference/input_error.h"

namespace attest {

// Thrown where the system does not give so much address space.
class address_space_error : public input_error {
 public:
  using input_error::input_error;
};

class byte_storage {
 public:
  byte_storage() = default;
  explicit byte_storage(std::size_t size) : held_(size) {}
  // Result: zeros. Cost: memory for each page of 4 KiB that is touched. Error: address_space_error.
  static byte_storage reserve(std::size_t size);

  // A copy of reserved bytes reserves as many, but holds none of them.
  byte_storage(const byte_storage&);
  byte_storage(byte_storage&&) noexcept;
  byte_storage& operator=(byte_storage) noexcept;
  ~byte_storage();

  std::byte* data() { return reserved_ == nullptr ? held_.data() : reserved_; }
  const std::byte* data() const { return reserved_ == nullptr ? held_.data() : reserved_; }
  std::size_t size() const { return reserved_ == nullptr ? held_.size() : reserved_size_; }
  bool only_reserved() const { return reserved_ != nullptr; }

 private:
  std::vector<std::byte> held_;
  std::byte* reserved_ = nullptr;
  std::size_t reserved_size_ = 0;
};

}  // namespace attest
