// Any bytes either read as an array or are refused with input_error; what was read survives writing
// and reading. Start it with a folder of small .npy files: npy_fuzz -max_total_time=60 FOLDER
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "properties/exchange/npy.h"
#include "reference/input_error.h"
#include "tests/fuzz/same_arrays.h"

namespace {

std::optional<attest::array> read(const std::string& bytes) {
  std::istringstream in(bytes);
  try {
    return attest::read_npy(in, "fuzz");
  } catch (const attest::input_error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read(std::string(data, data + size));
  if (!given) return 0;
  const auto again = read(attest::npy_bytes(*given));
  if (!again || !same_array(*given, *again)) std::abort();
  return 0;
}
