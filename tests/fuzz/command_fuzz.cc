// Any bytes that a command writes are read or refused: as its first line, of attention or of a
// recurrence, with input_error, as an answer with a status.
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

void read_recurrence_hello(const std::string& line) {
  using f = attest::recurrence_feature;
  const auto h =
      attest::unless_refused([&] { return attest::parse_recurrence_hello(line, "fuzz"); });
  if (!h) return;
  const attest::recurrence_features features = h->info.features;
  const bool has_rule = features.has(f::sum) || features.has(f::delta);
  if (h->info.about.inputs.empty() || !has_rule || features.has(f::strides)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(data, data + size);
  if (line.find("attest_recurrence") == std::string::npos)
    read_hello(line);
  else
    read_recurrence_hello(line);
  const attest::answer_outcome reply = attest::parse_reply(line, 7);
  const bool answers = reply.status == attest::answer_status::answered;
  if (answers && line.find("ok") == std::string::npos && line.find('\\') == std::string::npos)
    std::abort();
  return 0;
}
