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

// The line on which two texts part, with its number.
std::string first_difference(const std::string& text, const std::string& accepted) {
  const auto ends = std::mismatch(text.begin(), text.end(), accepted.begin(), accepted.end());
  const auto line = std::count(text.begin(), ends.first, '\n') + 1;
  const std::size_t at = static_cast<std::size_t>(ends.first - text.begin());
  const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto line_of = [&](const std::string& whole) {
    return start < whole.size() ? whole.substr(start, whole.find('\n', start) - start)
                                : "(the end)";
  };
  return "line " + std::to_string(line) + " is\n  " + line_of(text) + "\naccepted\n  " +
         line_of(accepted);
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
