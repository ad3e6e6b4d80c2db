// Any bytes either read as arrays or are refused with input_error; what was read survives writing
// and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "properties/exchange/safetensors.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/fuzz/unless_refused.h"

namespace {

std::optional<attest::named_arrays> read(const std::string& bytes) {
  std::istringstream in(bytes);
  return attest::unless_refused([&] { return attest::read_safetensors(in, "fuzz"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read(std::string(data, data + size));
  if (!given) return 0;
  const auto again = read(attest::safetensors_bytes(*given));
  if (!again || !same_arrays(*given, *again)) std::abort();
  return 0;
}
