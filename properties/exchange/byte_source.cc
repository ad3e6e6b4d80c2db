#include "properties/exchange/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <system_error>

#include "reference/input_error.h"

namespace attest {
namespace {

std::string readable(std::string_view kind) { return fmt::format("a readable {} file", kind); }

// A directory opens without complaint, and a pipe would wait for its writer.
void require_regular_file(const std::filesystem::path& path, std::string_view kind) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status)) return;
  const std::string given = std::filesystem::is_directory(status) ? "a directory"
                            : std::filesystem::exists(status)     ? "not a regular file"
                                                                  : error.message();
  refuse(path.string(), given, readable(kind));
}

}  // namespace

void refuse(std::string_view where, std::string_view given, std::string_view allowed) {
  throw input_error(fmt::format("{}: {}; allowed: {}", where, given, allowed));
}

byte_source::byte_source(std::istream& in, std::string_view where, std::string_view kind)
    : in_(in), where_(where), kind_(kind) {
  const auto start = in.tellg();
  const auto end = in.seekg(0, std::ios::end).tellg();
  if (start < 0 || end < start || !in.seekg(start))
    refuse(where, "a stream that can't seek", fmt::format("a regular {} file", kind));
  size_ = static_cast<std::uint64_t>(end - start);
}

std::string byte_source::take(std::uint64_t count, std::string_view what) {
  if (left() < count)
    fail_at(at_, fmt::format("{} truncated, {} bytes found", what, left()),
            fmt::format("{} bytes", count));
  std::string bytes(count, '\0');
  if (!in_.read(bytes.data(), static_cast<std::streamsize>(count)))
    fail_at(at_, fmt::format("{} can't be read", what), readable(kind_));
  at_ += count;
  return bytes;
}

void byte_source::fail_at(std::uint64_t byte, std::string_view given,
                          std::string_view allowed) const {
  refuse(where_, fmt::format("byte {}: {}", byte, given), allowed);
}

std::ifstream open_array_file(const std::filesystem::path& path, std::string_view kind) {
  require_regular_file(path, kind);
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path.string(), "a file that can't be opened", readable(kind));
  return in;
}

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  if (!out) refuse(path.string(), "a file that can't be opened", "a writable path");
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush())
    refuse(path.string(), "the bytes can't be written", "a writable path with room for them");
}

std::string shown(std::string_view text) {
  constexpr std::size_t limit = 40;
  std::string line(text.substr(0, limit));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return text.size() <= limit ? line : line + "...";
}

}  // namespace attest
