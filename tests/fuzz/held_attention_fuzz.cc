// Any bytes that read as a model hold one attention that attest can ask, or are refused with
// input_error. What is said of an attention is sound: its profile is known, its feeds are no more
// than the node has inputs, and sizes fitted to its limits are sizes of a problem.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "properties/onnx/held_attention.h"
#include "reference/semantics/profiles.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

void require(bool truth) {
  if (!truth) std::abort();
}

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t inputs_given(const onnx_model& model) {
  std::size_t given = 0;
  for (const std::string& name : model.nodes.front().inputs) given += name.empty() ? 0 : 1;
  return given;
}

void require_sizes(const call_limits& limits) {
  const auto spec = fitted(problem_spec{}, limits);
  if (!spec) return;
  for (std::size_t n = 0; n < size_names; ++n)
    require(size_of(spec->dims, static_cast<size_name>(n)) >= 1);
}

void look_at(const held_attention& held, const onnx_model& model) {
  constexpr std::size_t lines_of_output_and_past = 2;
  find_profile(held.profile);
  require(held.inputs != nullptr && !held.operator_name.empty());
  require(lines_of(held.feeds) <= lines_of_output_and_past + inputs_given(model));
  require_sizes(held.limits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = unless_refused([&] { return read_onnx_model(bytes, "fuzz"); });
  if (!model) return 0;
  const auto held = unless_refused([&] { return read_held_attention(*model, "fuzz"); });
  if (held) look_at(*held, *model);
  return 0;
}
