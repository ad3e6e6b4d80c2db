// Any bytes either read as a tensor or a model of ONNX or are refused with input_error; what was
// read survives writing and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "properties/exchange/onnx/model.h"
#include "properties/exchange/onnx/tensor.h"
#include "tests/fuzz/same_arrays.h"
#include "tests/fuzz/unless_refused.h"

namespace {

template <class Read>
auto read(Read reader, std::string_view bytes) {
  return attest::unless_refused([&] { return reader(bytes, "fuzz"); });
}

void try_tensor(std::string_view bytes) {
  const auto given = read(attest::read_onnx_tensor, bytes);
  if (!given) return;
  const auto again = read(attest::read_onnx_tensor, attest::onnx_tensor_bytes(*given));
  if (!again || again->name != given->name || !same_array(again->held, given->held)) std::abort();
}

void try_model(std::string_view bytes) {
  const auto given = read(attest::read_onnx_model, bytes);
  if (!given) return;
  const auto again = read(attest::read_onnx_model, attest::onnx_model_bytes(*given));
  if (!again || again->opset != given->opset || again->nodes.size() != given->nodes.size())
    std::abort();
  for (std::size_t n = 0; n < given->nodes.size(); ++n)
    if (again->nodes[n].inputs != given->nodes[n].inputs ||
        again->nodes[n].op_type != given->nodes[n].op_type)
      std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_tensor(bytes);
  try_model(bytes);
  return 0;
}
