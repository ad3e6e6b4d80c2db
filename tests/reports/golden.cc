#include "tests/reports/golden.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace attest {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool accepts() {
  const char* const value = std::getenv("ATTEST_ACCEPT_GOLDEN");
  return value && std::string_view(value) == "1";
}

std::string around(const std::string& text, std::size_t at) {
  constexpr std::size_t before = 40, all = 120;
  const std::size_t start = at < before ? 0 : at - before;
  return start < text.size() ? text.substr(start, all) : "(the end)";
}

// Where two texts part, and what stands there.
std::string first_difference(const std::string& text, const std::string& accepted) {
  const auto ends = std::mismatch(text.begin(), text.end(), accepted.begin(), accepted.end());
  const auto line = std::count(text.begin(), ends.first, '\n') + 1;
  const auto at = static_cast<std::size_t>(ends.first - text.begin());
  return "line " + std::to_string(line) + ": ..." + around(text, at) + "...\naccepted: ..." +
         around(accepted, at) + "...";
}

}  // namespace

testing::AssertionResult is_golden(const std::string& name, const std::string& text) {
  const std::string path = ATTEST_GOLDEN_FOLDER "/" + name;
  if (accepts()) {
    std::ofstream(path, std::ios::binary) << text;
    return testing::AssertionSuccess();
  }
  const std::string accepted = contents_of(path);
  if (text == accepted) return testing::AssertionSuccess();
  return testing::AssertionFailure() << path << ": " << first_difference(text, accepted)
                                     << "\n(if this is meant: ATTEST_ACCEPT_GOLDEN=1)";
}

}  // namespace attest
