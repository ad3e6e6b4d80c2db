// The bytes of a file from outside, read so that none of its claims is believed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <string>
#include <string_view>

namespace attest {

// Error: throws input_error "WHERE: GIVEN; allowed: ALLOWED".
[[noreturn]] void refuse(std::string_view where, std::string_view given, std::string_view allowed);

// The rest of a stream, its length known before anything is read. It keeps references: the stream
// and both texts outlive it.
class byte_source {
 public:
  // kind: what the file should be, ".npy". Error: input_error for a stream that can't seek.
  byte_source(std::istream& in, std::string_view where, std::string_view kind);

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return size_ - at_; }
  std::string_view where() const { return where_; }
  std::string_view kind() const { return kind_; }

  // Result: the next bytes. what: what they are, in the message.
  // Error: input_error, before anything is allocated, where fewer are left.
  std::string take(std::uint64_t count, std::string_view what);

  // Error: throws input_error naming the file and the byte.
  [[noreturn]] void fail_at(std::uint64_t byte, std::string_view given,
                            std::string_view allowed) const;

 private:
  std::istream& in_;
  std::string_view where_;
  std::string_view kind_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

// Result: the regular file, open. kind: ".npy". Error: input_error for a folder, a pipe and the
// like, and for what can't be opened.
std::ifstream open_array_file(const std::filesystem::path& path, std::string_view kind);

// Error: input_error if the bytes can't be written.
void write_bytes(const std::filesystem::path& path, std::string_view bytes);

// Result: an outsider's text cut to one short line: a hostile header may hold a megabyte of it.
std::string shown(std::string_view text);

}  // namespace attest
