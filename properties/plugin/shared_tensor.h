// One tensor of a call in memory that attest shares with attest-host.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "properties/plugin/call_tensor.h"
#include "properties/plugin/host/wire.h"
#include "properties/process/child_process.h"

namespace attest {

// A file in memory, without a name in any file system, with both a writable and a read-only
// descriptor.
struct memory_file {
  explicit memory_file(std::size_t bytes);
  descriptor writable, read_only;
};

class shared_tensor {
 public:
  shared_tensor() = default;
  shared_tensor(const shared_tensor&) = delete;
  shared_tensor& operator=(const shared_tensor&) = delete;
  ~shared_tensor() { unmap(); }

  // Copies the n-th tensor of a call into the slot. Where it lies there depends on n, its sizes and
  // strides alone: it ends at the end of a page, flush to the guarded space behind it, or begins at
  // the beginning of one. What is left of the pages is filled. Result: the file for attest-host,
  // where it is another than before. Error: address_space_error.
  std::optional<descriptor> place(std::uint32_t n, bool is_output, const call_tensor&);
  const wire::placed_tensor& placed() const { return placed_; }
  std::size_t half_bytes() const { return half_; }

  // Copies an output back. Result: where bytes around it were written, in words.
  std::optional<std::string> take_back(const call_tensor&, const char* name) const;

 private:
  descriptor renew(std::size_t half, bool is_output);
  void unmap();
  void copy_in(const call_tensor&);
  void fill_around();
  std::byte* at(std::int64_t position) const { return base_ + half_ + position; }
  std::int64_t first_of_pages() const;
  std::int64_t end_of_pages() const;

  std::byte* base_ = nullptr;
  std::size_t half_ = 0;
  wire::placed_tensor placed_;
};

}  // namespace attest
