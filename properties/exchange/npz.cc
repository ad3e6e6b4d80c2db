#include "properties/exchange/npz.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>
#include <vector>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/zip_archive.h"

namespace attest {
namespace {

constexpr std::string_view ending = ".npy";

void add_array(named_arrays& arrays, std::string_view where, const std::string& member,
               std::string bytes) {
  const std::string member_where = fmt::format("{}: {}", where, shown(member));
  if (!member.ends_with(ending)) refuse(member_where, "no .npy file", "members named NAME.npy");
  std::istringstream in(std::move(bytes));
  arrays[member.substr(0, member.size() - ending.size())] = read_npy(in, member_where);
}

}  // namespace

named_arrays read_npz(std::string_view bytes, std::string_view where) {
  named_arrays arrays;
  read_zip(bytes, where, [&](const std::string& member, std::string held) {
    add_array(arrays, where, member, std::move(held));
  });
  return arrays;
}

named_arrays read_npz_file(const std::filesystem::path& path) {
  named_arrays arrays;
  read_zip_file(path, [&](const std::string& member, std::string held) {
    add_array(arrays, path.string(), member, std::move(held));
  });
  return arrays;
}

std::string npz_bytes(const named_arrays& arrays, numpy_lacks lacking) {
  std::vector<zip_member> members;
  for (const auto& [name, a] : arrays)
    members.push_back({name + std::string(ending), npy_bytes(a, lacking)});
  return zip_bytes(members);
}

}  // namespace attest
