// The tensors' memory in attest-host: address space of which only the pages of the present call's
// tensors can be touched, inputs only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "properties/plugin/host/wire.h"

namespace attest::host {

class slot_memory {
 public:
  // Result: whether the system gave the address space.
  bool map(const wire::map_order&, int file);
  // Opens the pages of the tensor and closes all others of its slot.
  void show(std::uint32_t slot, const wire::placed_tensor&, bool writable);
  // Outputs can't be written any more.
  void close_outputs();

  std::byte* address(std::uint32_t slot, std::int64_t position) const {
    return slots_[slot].middle + position;
  }

  struct found_at {
    std::uint32_t slot = 0;
    std::int64_t offset = 0;
  };
  // Where an address lies, guarded space around the files included. Fit for signal handlers.
  std::optional<found_at> find(const void* address) const;

 private:
  struct one_slot {
    std::byte* base = nullptr;  // of the reserved space
    std::size_t reserved = 0;
    std::byte* middle = nullptr;
    std::size_t half = 0;  // of the file
    std::byte* open_from = nullptr;
    std::byte* open_to = nullptr;
    bool writable = false;
  };
  static bool reserve(one_slot&, std::size_t half);
  static void move_end(std::byte* before, std::byte* now, bool opens, int access);

  one_slot slots_[wire::slots];
};

}  // namespace attest::host
