// Any text either reads as the line of a problem or is refused with input_error; what was read
// survives writing and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reference/problems/problem_spec.h"
#include "tests/fuzz/unless_refused.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto given = attest::unless_refused([&] { return attest::parse_problem_line(line); });
  if (given && attest::parse_problem_line(attest::to_line(*given)) != *given) std::abort();
  return 0;
}
