// Any bytes either read as an array or are refused with input_error; what was read survives writing
// and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "properties/exchange/npy.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/fuzz/unless_refused.h"

namespace {

std::optional<attest::array> read(const std::string& bytes) {
  std::istringstream in(bytes);
  return attest::unless_refused([&] { return attest::read_npy(in, "fuzz"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read(std::string(data, data + size));
  if (!given) return 0;
  const auto again = read(attest::npy_bytes(*given));
  if (!again || !same_array(*given, *again)) std::abort();
  return 0;
}
