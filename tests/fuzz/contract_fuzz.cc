// Any bytes either read as contracts or are refused with input_error; each contract that was read
// survives writing and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "properties/exchange/contract_json.h"
#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

void require_kept(const contract& c) {
  const std::string text = to_json_text(c, default_contract(*c.inputs));
  const contract again = parse_contract(text, "fuzz");
  if (again.name != c.name || again.about != c.about || !differences(again, c).empty())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto list = unless_refused([&] { return parse_declared_contracts(text, "fuzz"); });
  if (list)
    for (const contract& c : *list) require_kept(c);
  return 0;
}
