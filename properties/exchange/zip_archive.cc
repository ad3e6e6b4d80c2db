#include "properties/exchange/zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

constexpr std::string_view kind = ".npz";
constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 16;
// Deflate codes at most 258 bytes in two bits: 1032 to 1.
constexpr std::uint64_t deflate_ratio = 1032;

struct archive_discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using open_archive = std::unique_ptr<zip_t, archive_discard>;

struct file_close {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using open_member = std::unique_ptr<zip_file_t, file_close>;

// libzip's word for what went wrong.
class zip_failure {
 public:
  zip_failure() { zip_error_init(&error_); }
  zip_failure(const zip_failure&) = delete;
  zip_failure& operator=(const zip_failure&) = delete;
  ~zip_failure() { zip_error_fini(&error_); }

  zip_error_t* get() { return &error_; }
  std::string text() {
    const bool twice = zip_error_code_zip(&error_) == ZIP_ER_EXISTS;
    return twice ? "a member's name that stands twice" : zip_error_strerror(&error_);
  }

 private:
  zip_error_t error_;
};

// Takes the source over.
open_archive open(zip_source_t* source, int flags, zip_failure& failure) {
  if (source == nullptr) return nullptr;
  open_archive archive(zip_open_from_source(source, flags, failure.get()));
  if (!archive) zip_source_free(source);
  return archive;
}

struct member_entry {
  std::uint64_t index = 0;
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t packed = 0;
  bool deflated = false;
};

// An archive from outside and the name it goes by.
class zip_reader {
 public:
  zip_reader(open_archive archive, std::uint64_t bytes, std::string_view where)
      : archive_(std::move(archive)), bytes_(bytes), where_(where) {}

  void read_all(const take_member& take) const;

 private:
  std::vector<member_entry> entries() const;
  member_entry entry_at(std::uint64_t index) const;
  void require_credible(const member_entry& entry) const;
  void require_limits(const std::vector<member_entry>& entries) const;
  std::string read(const member_entry& entry) const;
  [[noreturn]] void fail(const member_entry& entry, std::string_view given,
                         std::string_view allowed) const;

  open_archive archive_;
  std::uint64_t bytes_;
  std::string_view where_;
};

void zip_reader::fail(const member_entry& entry, std::string_view given,
                      std::string_view allowed) const {
  refuse(fmt::format("{}: {}", where_, shown(entry.name)), given, allowed);
}

void zip_reader::read_all(const take_member& take) const {
  const std::vector<member_entry> all = entries();
  require_limits(all);
  for (const member_entry& entry : all) take(entry.name, read(entry));
}

std::vector<member_entry> zip_reader::entries() const {
  std::vector<member_entry> all;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    all.push_back(entry_at(static_cast<std::uint64_t>(i)));
    require_credible(all.back());
  }
  return all;
}

member_entry zip_reader::entry_at(std::uint64_t index) const {
  constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                  ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(archive_.get(), index, ZIP_FL_ENC_RAW, &stat) != 0 ||
      (stat.valid & needed) != needed)
    refuse(where_, fmt::format("member {} can't be read", index), "a sound .npz file");
  const member_entry entry{index, stat.name, stat.size, stat.comp_size,
                           stat.comp_method == ZIP_CM_DEFLATE};
  if (stat.encryption_method != ZIP_EM_NONE)
    fail(entry, "an encrypted member", "members that are not encrypted");
  if (!entry.deflated && stat.comp_method != ZIP_CM_STORE)
    fail(entry, fmt::format("compression method {}", stat.comp_method),
         "0 (stored) and 8 (deflated)");
  return entry;
}

void zip_reader::require_credible(const member_entry& entry) const {
  const std::uint64_t most =
      entry.deflated ? std::min(entry.packed, inflated_limit) * deflate_ratio : entry.packed;
  if (entry.packed > bytes_ || entry.size > most)
    fail(entry, fmt::format("{} bytes, of {} in the file", entry.size, entry.packed),
         fmt::format("at most {}", std::min(most, bytes_ * deflate_ratio)));
}

// Members that share their bytes are how a small archive grows without end.
void zip_reader::require_limits(const std::vector<member_entry>& all) const {
  std::uint64_t packed = 0, inflated = 0;
  for (const member_entry& entry : all) {
    packed += entry.packed;
    inflated += entry.deflated ? entry.size : 0;
    if (packed > bytes_)
      fail(entry, fmt::format("members of {} bytes up to here", packed),
           fmt::format("at most the archive's {}", bytes_));
    if (inflated > inflated_limit)
      fail(entry, fmt::format("deflated members of {} bytes up to here", inflated),
           fmt::format("at most {}", inflated_limit));
  }
}

std::string zip_reader::read(const member_entry& entry) const {
  open_member file(zip_fopen_index(archive_.get(), entry.index, 0));
  if (!file) fail(entry, zip_strerror(archive_.get()), "a sound .npz file");
  std::string bytes;
  std::string chunk(std::min(chunk_bytes, entry.size + 1), '\0');
  for (zip_int64_t got; (got = zip_fread(file.get(), chunk.data(), chunk.size())) != 0;) {
    if (got < 0)
      fail(entry, zip_error_strerror(zip_file_get_error(file.get())), "a sound .npz file");
    bytes.append(chunk, 0, static_cast<std::size_t>(got));
    if (bytes.size() > entry.size) break;
  }
  if (bytes.size() != entry.size)
    fail(entry, fmt::format("{} bytes or more", bytes.size()),
         fmt::format("{}, as the archive says", entry.size));
  return bytes;
}

// libzip takes no bytes at all for an archive of no members.
void require_bytes(std::uint64_t bytes, std::string_view where) {
  if (bytes == 0) refuse(where, "an empty file", "an .npz file");
}

[[noreturn]] void fail_writing(const std::string& what) {
  throw std::runtime_error("an .npz file can't be made: " + what);
}

void add_member(zip_t* archive, const zip_member& member) {
  zip_source_t* source =
      zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), /*freep=*/0);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(archive, member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail_writing(zip_strerror(archive));
  }
  constexpr zip_uint16_t first_day = 1 << 5 | 1;  // 1980-01-01
  const auto place = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, place, 0, first_day, 0) != 0)
    fail_writing(zip_strerror(archive));
}

// zip_close takes the archive down only where it succeeds.
void finish(open_archive archive) {
  if (zip_close(archive.get()) != 0) fail_writing(zip_strerror(archive.get()));
  static_cast<void>(archive.release());
}

std::string contents(zip_source_t* source) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    fail_writing("its bytes are lost");
  std::string bytes(stat.size, '\0');
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(bytes.size())) fail_writing("its bytes are lost");
  return bytes;
}

}  // namespace

void read_zip(std::string_view bytes, std::string_view where, const take_member& take) {
  require_bytes(bytes.size(), where);
  zip_failure failure;
  open_archive archive =
      open(zip_source_buffer_create(bytes.data(), bytes.size(), 0, failure.get()),
           ZIP_RDONLY | ZIP_CHECKCONS, failure);
  if (!archive) refuse(where, failure.text(), "an .npz file");
  zip_reader(std::move(archive), bytes.size(), where).read_all(take);
}

void read_zip_file(const std::filesystem::path& path, const take_member& take) {
  open_array_file(path, kind);
  require_bytes(std::filesystem::file_size(path), path.string());
  zip_failure failure;
  open_archive archive = open(zip_source_file_create(path.c_str(), 0, -1, failure.get()),
                              ZIP_RDONLY | ZIP_CHECKCONS, failure);
  if (!archive) refuse(path.string(), failure.text(), "an .npz file");
  zip_reader(std::move(archive), std::filesystem::file_size(path), path.string()).read_all(take);
}

std::string zip_bytes(const std::vector<zip_member>& members) {
  zip_failure failure;
  zip_source_t* source = zip_source_buffer_create(nullptr, 0, 0, failure.get());
  if (source == nullptr) fail_writing(failure.text());
  zip_source_keep(source);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(source, zip_source_free);
  open_archive archive = open(source, ZIP_TRUNCATE, failure);
  if (!archive) fail_writing(failure.text());
  for (const zip_member& member : members) add_member(archive.get(), member);
  finish(std::move(archive));
  return contents(source);
}

}  // namespace attest
