#include "properties/adapters/third_party.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace attest_adapter {
namespace {

std::set<std::string> read_processor_flags() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    std::set<std::string> flags;
    for (std::string word; words >> word;) flags.insert(word);
    return flags;
  }
  return {};
}

}  // namespace

std::string folder_of(const std::string& library) {
  const char* given = std::getenv("ATTEST_THIRD_PARTY");
  return std::string(given != nullptr ? given : ATTEST_THIRD_PARTY_FOLDER) + "/" + library + "/";
}

bool exists(const std::string& path) { return std::ifstream(path).good(); }

std::string version_of(const std::string& library) {
  constexpr std::string_view before_hash = ", sha512 ";
  constexpr std::size_t digits = 16;
  std::ifstream in(folder_of(library) + "provenance");
  std::string line;
  std::getline(in, line);
  const std::size_t hash = line.find(before_hash);
  return hash == std::string::npos ? line : line.substr(0, hash + before_hash.size() + digits);
}

bool processor_has(const std::string& flags) {
  static const std::set<std::string> present = read_processor_flags();
  std::istringstream words(flags);
  for (std::string word; words >> word;)
    if (present.count(word) == 0) return false;
  return true;
}

}  // namespace attest_adapter
