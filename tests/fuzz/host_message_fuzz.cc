// Any bytes are either a message of attest-host, in which every number is in its range, or none:
// what a plugin may have written there can't hurt attest. A plugin's description is then read as a
// subject's, or refused with input_error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "properties/plugin/fault_text.h"
#include "properties/plugin/host_message.h"
#include "properties/plugin/plugin_info.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

wire::placed_tensor some_tensor() {
  wire::placed_tensor t;
  t.present = 1;
  t.dtype = ATTEST_F32;
  t.begin = -96;
  t.bytes = 96;
  for (std::int64_t& size : t.sizes) size = 2;
  for (int axis = 0; axis < 4; ++axis) t.strides[axis] = std::int64_t{1} << (3 - axis);
  return t;
}

void require(bool truth) {
  if (!truth) std::abort();
}

void look_at(const plugin_description& d, std::size_t size) {
  const std::size_t texts = d.name.size() + d.version.size() + d.profile.value_or("").size() +
                            d.contract.value_or("").size();
  require(texts + sizeof(wire::description) == size);
  const auto info = unless_refused([&] { return read_description(d, "fuzz"); });
  require(!info || !info->inputs.empty());
}

void look_at(const host_refusal& r, std::size_t size) { require(r.why.size() <= size); }

void look_at(const wire::reply& r, std::size_t) {
  require(std::strlen(r.message) < sizeof r.message && r.threw <= wire::thrown::something);
}

void look_at(const wire::fault& f, std::size_t) {
  require(f.slot < wire::slots);
  for (const call_form* made : {&forward_form, &recurrence_form})
    require(!outcome_of(f, *made, some_tensor()).message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto message = read_host_message({reinterpret_cast<const char*>(data), size});
  if (message) std::visit([&](const auto& m) { look_at(m, size); }, *message);
  return 0;
}
