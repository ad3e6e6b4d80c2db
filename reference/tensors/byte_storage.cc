#include "reference/tensors/byte_storage.h"

#include <sys/mman.h>

#include <string>
#include <utility>

namespace attest {

byte_storage byte_storage::reserve(std::size_t size) {
  constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const address = mmap(nullptr, size, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (address == MAP_FAILED)
    throw address_space_error("the system does not give " + std::to_string(size >> 30) +
                              " GiB of address space");
  byte_storage storage;
  storage.reserved_ = static_cast<std::byte*>(address);
  storage.reserved_size_ = size;
  return storage;
}

byte_storage::byte_storage(const byte_storage& other) : held_(other.held_) {
  if (other.only_reserved()) *this = reserve(other.reserved_size_);
}

byte_storage::byte_storage(byte_storage&& other) noexcept
    : held_(std::move(other.held_)),
      reserved_(std::exchange(other.reserved_, nullptr)),
      reserved_size_(std::exchange(other.reserved_size_, 0)) {}

byte_storage& byte_storage::operator=(byte_storage other) noexcept {
  std::swap(held_, other.held_);
  std::swap(reserved_, other.reserved_);
  std::swap(reserved_size_, other.reserved_size_);
  return *this;
}

byte_storage::~byte_storage() {
  if (reserved_ != nullptr) munmap(reserved_, reserved_size_);
}

}  // namespace attest
