#include "properties/plugin/host/slot_memory.h"

#include <sys/mman.h>

#include <algorithm>

namespace attest::host {
namespace {

constexpr std::size_t usual_space = std::size_t{4} << 30;
constexpr std::size_t usual_guard = std::size_t{1} << 30;

void* reserved_space(void* at, std::size_t bytes) {
  const int fixed = at == nullptr ? 0 : MAP_FIXED;
  return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

std::byte* page_of(std::byte* address) {
  return address - reinterpret_cast<std::uintptr_t>(address) % wire::page;
}

}  // namespace

bool slot_memory::reserve(one_slot& s, std::size_t half) {
  if (s.base != nullptr) munmap(s.base, s.reserved);
  s = {};
  const std::size_t least = 2 * (half + wire::page);
  for (std::size_t bytes = std::max(usual_space, 2 * (half + usual_guard));; bytes /= 2) {
    bytes = std::max(bytes, least) / (2 * wire::page) * (2 * wire::page);
    void* const space = reserved_space(nullptr, bytes);
    if (space == MAP_FAILED && bytes == least) return false;
    if (space == MAP_FAILED) continue;
    s.base = static_cast<std::byte*>(space);
    s.reserved = bytes;
    s.middle = s.base + bytes / 2;
    return true;
  }
}

bool slot_memory::map(const wire::map_order& order, int file) {
  one_slot& s = slots_[order.slot];
  const std::size_t half = order.half_bytes;
  const bool fits = s.base != nullptr && half + wire::page <= s.reserved / 2;
  if (!fits && !reserve(s, half)) return false;
  if (s.half != 0) reserved_space(s.middle - s.half, 2 * s.half);
  s.open_from = s.open_to = nullptr;
  s.half = half;
  return mmap(s.middle - half, 2 * half, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
              0) != MAP_FAILED;
}

// Closes or opens the pages between two ends, given in any order.
void slot_memory::move_end(std::byte* before, std::byte* now, bool opens, int access) {
  std::byte* const from = std::min(before, now);
  const auto bytes = static_cast<std::size_t>(std::max(before, now) - from);
  if (bytes != 0) mprotect(from, bytes, opens ? access : PROT_NONE);
}

// Pages that stay open are left alone: a change of protection costs more than a small call.
void slot_memory::show(std::uint32_t slot, const wire::placed_tensor& t, bool writable) {
  one_slot& s = slots_[slot];
  std::byte* const from = page_of(s.middle + t.begin);
  std::byte* const to = page_of(s.middle + t.end() + (wire::page - 1));
  const int access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const bool apart = from >= s.open_to || to <= s.open_from || writable != s.writable;
  if (apart) {
    move_end(s.open_from, s.open_to, false, access);
    move_end(from, to, true, access);
  } else {
    move_end(s.open_from, from, from < s.open_from, access);
    move_end(s.open_to, to, to > s.open_to, access);
  }
  s.open_from = from;
  s.open_to = to;
  s.writable = writable;
}

void slot_memory::close_outputs() {
  for (one_slot& s : slots_) {
    if (!s.writable) continue;
    move_end(s.open_from, s.open_to, true, PROT_READ);
    s.writable = false;
  }
}

std::optional<slot_memory::found_at> slot_memory::find(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  for (std::uint32_t n = 0; n < wire::slots; ++n) {
    const one_slot& s = slots_[n];
    if (s.base != nullptr && at >= s.base && at < s.base + s.reserved)
      return found_at{n, at - s.middle};
  }
  return std::nullopt;
}

}  // namespace attest::host
