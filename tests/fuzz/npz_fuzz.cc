// Any bytes either read as arrays or are refused with input_error; what was read survives writing
// and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "properties/exchange/npz.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/fuzz/unless_refused.h"

namespace {

std::optional<attest::named_arrays> read(std::string_view bytes) {
  return attest::unless_refused([&] { return attest::read_npz(bytes, "fuzz"); });
}

// Members with names in another encoding than UTF-8 are read, but can't be written.
bool writable(const attest::named_arrays& arrays) {
  for (const auto& [name, a] : arrays)
    for (const char c : name)
      if (c < ' ' || c > '~') return false;
  return !arrays.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read({reinterpret_cast<const char*>(data), size});
  if (!given || !writable(*given)) return 0;
  const auto again = read(attest::npz_bytes(*given));
  if (!again || !same_arrays(*given, *again)) std::abort();
  return 0;
}
