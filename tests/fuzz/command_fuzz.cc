// Any bytes that a command writes are read or refused: as its first line with input_error, as an
// answer with a status.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "properties/command/protocol.h"
#include "tests/fuzz/unless_refused.h"

namespace {

void read_hello(const std::string& line) {
  const auto h = attest::unless_refused([&] { return attest::parse_hello(line, "fuzz"); });
  if (h && (h->info.inputs.empty() || h->info.features.has(attest::feature::strides))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(data, data + size);
  read_hello(line);
  const attest::answer_outcome reply = attest::parse_reply(line, 7);
  const bool answers = reply.status == attest::answer_status::answered;
  if (answers && line.find("ok") == std::string::npos && line.find('\\') == std::string::npos)
    std::abort();
  return 0;
}
