// A model of one attention, run by ONNX Runtime on the CPU.
#include <exception>
#include <string>

#include "properties/adapters/onnx_model/feeds.h"
#include "properties/adapters/subject_table.h"
#include "properties/adapters/third_party.h"

namespace attest_adapter::onnx_model {
namespace {

const feeding& the_feeding() {
  static const feeding read = read_feeding();
  return read;
}

std::int32_t forward(const attest_forward* call, char* message, std::uint64_t size) {
  try {
    answer(the_feeding(), *call);
    return ATTEST_OK;
  } catch (const std::exception& problem) {
    return decline(message, size, ATTEST_ERROR, problem.what());
  }
}

// What the model can be asked and how its answers are judged, attest says itself.
attest_plugin describe(const std::string& version) {
  constexpr std::uint64_t every_feature = (std::uint64_t{ATTEST_STRIDES} << 1) - 1;
  constexpr std::uint64_t types = ATTEST_DTYPE_BIT(ATTEST_F64) | ATTEST_DTYPE_BIT(ATTEST_F32) |
                                  ATTEST_DTYPE_BIT(ATTEST_F16) | ATTEST_DTYPE_BIT(ATTEST_BF16);
  return {sizeof(attest_plugin),
          ATTEST_ABI_VERSION,
          "model",
          version.c_str(),
          every_feature,
          types,
          nullptr,
          nullptr,
          forward,
          nullptr};
}

}  // namespace
}  // namespace attest_adapter::onnx_model

// A model that ONNX Runtime refuses is refused here, with what it says of it.
const attest_plugin* attest_plugin_at(std::uint32_t index) {
  using namespace attest_adapter;
  static const std::string version = version_of("onnxruntime");
  static const attest_plugin plugin = onnx_model::describe(version);
  if (index > 0) return nullptr;
  onnxruntime::load_model(onnx_model::the_feeding().model);
  return &plugin;
}
