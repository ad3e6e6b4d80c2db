// Zip archives, the shell of .npz files: read strictly, written plainly. zip_archive.cc alone knows
// libzip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// What the deflated members of one archive may come to, inflated. Stored ones are as long as the
// file holds them.
inline constexpr std::uint64_t inflated_limit = std::uint64_t{1} << 30;

// Takes a member's name and bytes.
using take_member = std::function<void(const std::string&, std::string)>;

// Calls take for each member, in the archive's order, one member in memory at a time.
// Domain: stored and deflated members of different names, not encrypted; the members' compressed
//   bytes come to no more than the archive's.
// Error: input_error naming `where` and the member for anything else, a wrong checksum or length,
//   and claims beyond inflated_limit or beyond what deflate can shrink to the bytes that are there;
//   before anything is inflated.
void read_zip(std::string_view bytes, std::string_view where, const take_member& take);
void read_zip_file(const std::filesystem::path& path, const take_member& take);

struct zip_member {
  std::string name;
  std::string bytes;
};

// Result: an archive of stored members, dated 1980-01-01: the same members give the same bytes.
// Domain: one member or more.
std::string zip_bytes(const std::vector<zip_member>& members);

}  // namespace attest
