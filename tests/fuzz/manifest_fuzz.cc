// Any bytes either read as a manifest or are refused with input_error; what was read survives
// writing and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "properties/corpus/manifest.h"
#include "tests/fuzz/unless_refused.h"

namespace {

std::optional<attest::manifest> read(const std::string& text) {
  return attest::unless_refused([&] { return attest::parse_manifest(text, "fuzz"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = read(std::string(data, data + size));
  if (!given) return 0;
  const std::string text = attest::print_manifest(*given);
  const auto again = read(text);
  if (!again || attest::print_manifest(*again) != text) std::abort();
  return 0;
}
