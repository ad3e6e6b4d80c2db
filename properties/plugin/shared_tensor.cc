#include "properties/plugin/shared_tensor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "reference/tensors/byte_storage.h"

namespace attest {
namespace {

// No number of any format by chance: NaN in those that have one, true, -1.
constexpr int around = 0xff;
constexpr std::size_t least_half = std::size_t{1} << 16;
constexpr std::size_t doubled_up_to = std::size_t{1} << 30;

[[noreturn]] void refuse(std::size_t bytes) {
  throw address_space_error("the system does not give " + std::to_string(bytes >> 20) +
                            " MiB of shared memory");
}

std::int64_t rounded_down(std::int64_t n) {
  constexpr auto page = static_cast<std::int64_t>(wire::page);
  return (n >= 0 ? n : n - page + 1) / page * page;
}

std::int64_t rounded_up(std::int64_t n) { return -rounded_down(-n); }

// Room to grow, so that it is seldom renewed.
std::size_t half_for(std::size_t bytes) {
  if (bytes > doubled_up_to)
    return static_cast<std::size_t>(rounded_up(static_cast<std::int64_t>(bytes)));
  return std::bit_ceil(std::max(bytes, least_half));
}

// Half of all shapes and strides, whatever they hold.
bool ends_flush(std::uint32_t n, const call_tensor& t) {
  std::uint64_t mixed = n;
  for (int axis = 0; axis < 4; ++axis) {
    mixed = mixed * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(t.shown.sizes[axis]);
    mixed = mixed * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(t.shown.strides[axis]);
    mixed ^= mixed >> 29;
  }
  return (mixed >> 32 & 1) != 0;
}

std::size_t width_of(const call_tensor& t) {
  return t.where->elements == 0 ? 0 : t.bytes / static_cast<std::size_t>(t.where->elements);
}

// Of storage whose pages were only reserved, the elements alone.
void copy_storage(std::byte* to, const std::byte* from, const call_tensor& t) {
  if (t.bytes == 0) return;
  if (!t.where->reserved) {
    std::memcpy(to, from, t.bytes);
    return;
  }
  const std::size_t width = width_of(t);
  for_each_index(t.where->sizes, [&](const index4& i) {
    const std::size_t offset = static_cast<std::size_t>(t.where->at(i)) * width;
    std::memcpy(to + offset, from + offset, width);
  });
}

bool is_clean(const std::byte* from, std::int64_t count) {
  static const std::vector<std::byte> clean(wire::page, std::byte{around});
  return std::memcmp(from, clean.data(), static_cast<std::size_t>(count)) == 0;
}

bool is_written(std::byte b) { return b != std::byte{around}; }

// Result: where the last run of written bytes begins; count where none was written.
std::int64_t last_run(const std::byte* from, std::int64_t count) {
  std::int64_t end = count;
  while (end > 0 && !is_written(from[end - 1])) --end;
  if (end == 0) return count;
  while (end > 0 && is_written(from[end - 1])) --end;
  return end;
}

std::int64_t first_written(const std::byte* from, std::int64_t count) {
  return std::find_if(from, from + count, is_written) - from;
}

std::string bytes_text(std::int64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace

memory_file::memory_file(std::size_t bytes) : writable(memfd_create("attest tensor", MFD_CLOEXEC)) {
  if (writable.get() < 0 || ftruncate(writable.get(), static_cast<off_t>(bytes)) != 0)
    refuse(bytes);
  const std::string itself = "/proc/self/fd/" + std::to_string(writable.get());
  read_only = descriptor(open(itself.c_str(), O_RDONLY | O_CLOEXEC));
  if (read_only.get() < 0) refuse(bytes);
}

void shared_tensor::unmap() {
  if (base_ != nullptr) munmap(base_, 2 * half_);
  base_ = nullptr;
}

descriptor shared_tensor::renew(std::size_t half, bool is_output) {
  unmap();
  memory_file file(2 * half);
  void* const address = mmap(nullptr, 2 * half, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                             file.writable.get(), 0);
  if (address == MAP_FAILED) refuse(2 * half);
  base_ = static_cast<std::byte*>(address);
  half_ = half;
  return is_output ? std::move(file.writable) : std::move(file.read_only);
}

std::optional<descriptor> shared_tensor::place(std::uint32_t n, bool is_output,
                                               const call_tensor& t) {
  std::optional<descriptor> renewed;
  if (base_ == nullptr || t.bytes > half_ || t.where->reserved)
    renewed = renew(half_for(t.bytes), is_output);
  placed_ = {};
  placed_.present = 1;
  placed_.dtype = t.shown.dtype;
  placed_.bytes = static_cast<std::int64_t>(t.bytes);
  placed_.begin = ends_flush(n, t) ? -placed_.bytes : 0;
  placed_.origin = static_cast<std::byte*>(t.shown.data) - t.storage;
  std::copy_n(t.shown.sizes, 4, placed_.sizes);
  std::copy_n(t.shown.strides, 4, placed_.strides);
  fill_around();
  copy_storage(at(placed_.begin), t.storage, t);
  return renewed;
}

std::int64_t shared_tensor::first_of_pages() const { return rounded_down(placed_.begin); }
std::int64_t shared_tensor::end_of_pages() const { return rounded_up(placed_.end()); }

void shared_tensor::fill_around() {
  const std::int64_t before = placed_.begin - first_of_pages();
  const std::int64_t after = end_of_pages() - placed_.end();
  std::memset(at(first_of_pages()), around, static_cast<std::size_t>(before));
  std::memset(at(placed_.end()), around, static_cast<std::size_t>(after));
}

std::optional<std::string> shared_tensor::take_back(const call_tensor& t, const char* name) const {
  copy_storage(t.storage, at(placed_.begin), t);
  const std::int64_t before = placed_.begin - first_of_pages();
  const std::int64_t after = end_of_pages() - placed_.end();
  if (is_clean(at(first_of_pages()), before) && is_clean(at(placed_.end()), after))
    return std::nullopt;
  const std::string wrote = std::string("wrote outside ") + name + ", ";
  if (const std::int64_t run = last_run(at(first_of_pages()), before); run < before)
    return wrote + bytes_text(before - run) + " before it";
  if (const std::int64_t first = first_written(at(placed_.end()), after); first < after)
    return wrote + bytes_text(first + 1) + " past its end";
  return std::nullopt;
}

}  // namespace attest
