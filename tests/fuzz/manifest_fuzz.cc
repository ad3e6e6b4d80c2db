// Any bytes either read as a manifest or are refused with input_error; what was read survives
// writing and reading. Start it with a folder of small manifests:
// manifest_fuzz -max_total_time=60 FOLDER
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "properties/corpus/manifest.h"
#include "reference/input_error.h"

namespace {

std::optional<attest::manifest> read(const std::string& text) {
  try {
    return attest::parse_manifest(text, "fuzz");
  } catch (const attest::input_error&) {
    return std::nullopt;
  }
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
