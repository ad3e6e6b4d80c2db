#include "properties/process/own_program.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// The folder of the program, or of the shared object, that this code was linked into.
fs::path own_folder() {
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<void*>(&own_program), &info) != 0;
  const bool is_path =
      known && info.dli_fname != nullptr && fs::path(info.dli_fname).has_parent_path();
  std::error_code ignored;
  const fs::path self = is_path ? fs::path(info.dli_fname) : fs::path("/proc/self/exe");
  return fs::canonical(self, ignored).parent_path();
}

std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  if (const char* given = std::getenv("ATTEST_LIBEXEC")) found.emplace_back(given);
  const fs::path own = own_folder();
  found.insert(found.end(),
               {own, own / ".." / "libexec" / "attest", fs::path(ATTEST_BUILT_LIBEXEC)});
  return found;
}

}  // namespace

std::string own_program(std::string_view name) {
  std::string searched;
  for (const fs::path& folder : folders()) {
    std::error_code ignored;
    const fs::path path = folder / name;
    if (fs::is_regular_file(path, ignored)) return path.lexically_normal().string();
    searched += (searched.empty() ? "" : ", ") + folder.lexically_normal().string();
  }
  throw input_error("program " + std::string(name) + " is not there (searched: " + searched +
                    "; ATTEST_LIBEXEC may name its folder)");
}

}  // namespace attest
