// Any bytes either read as an array or are refused with input_error; what was read survives writing
// and reading. Start it with a folder of small .npy files: npy_fuzz -max_total_time=60 FOLDER
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "properties/exchange/npy.h"
#include "reference/input_error.h"

namespace {

std::optional<attest::array> read(const std::string& bytes) {
  std::istringstream in(bytes);
  try {
    return attest::read_npy(in, "fuzz");
  } catch (const attest::input_error&) {
    return std::nullopt;
  }
}

bool same_value(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

bool same_array(const attest::array& a, const attest::array& b) {
  return a.kind == b.kind && a.element == b.element && a.sizes == b.sizes &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same_value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read(std::string(data, data + size));
  if (!given) return 0;
  std::ostringstream out;
  attest::write_npy(out, *given, "fuzz");
  const auto again = read(out.str());
  if (!again || !same_array(*given, *again)) std::abort();
  return 0;
}
