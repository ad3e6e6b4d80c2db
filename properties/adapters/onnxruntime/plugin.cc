// ONNX Runtime's attention operators on the CPU.
#include <iterator>
#include <vector>

#include "properties/adapters/onnxruntime/operators.h"
#include "properties/adapters/subject_table.h"
#include "properties/adapters/third_party.h"

namespace attest_adapter::onnxruntime {
namespace {

struct subject {
  declaration declared;
  void (*operation)(const attest_forward&, causal_by);
  causal_by how;

  void answer(const attest_forward& call) const { operation(call, how); }
};

// The operators refuse a scale of 0 or below, or read 0 as the default: a scale is not asked for.
constexpr std::uint64_t mask_features = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS |
                                        ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT |
                                        ATTEST_WINDOW;
constexpr std::uint64_t attention_features = mask_features | ATTEST_GROUPED_HEADS |
                                             ATTEST_SOFT_CAP | ATTEST_CROSS_LENGTHS |
                                             ATTEST_VALUE_WIDTH;
constexpr std::uint64_t multi_head_features =
    mask_features | ATTEST_LENGTHS | ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH;
constexpr std::uint64_t group_query_features =
    mask_features | ATTEST_GROUPED_HEADS | ATTEST_SOFT_CAP | ATTEST_SINK;

constexpr std::uint64_t f32 = ATTEST_DTYPE_BIT(ATTEST_F32), f16 = ATTEST_DTYPE_BIT(ATTEST_F16),
                        f64 = ATTEST_DTYPE_BIT(ATTEST_F64);

// The kernel for f32 and f16 writes the lowest number where a mask is false, and 0 for a row of
// nothing else.
constexpr const char* kernel = "onnx-attention-23-1.22,lowest_bias=masks";
// f64 has no kernel: the operator's own function is run, where such a row is 0 / 0.
constexpr const char* function = "onnx-attention-23-1.22,empty_row=nan,infinite_bias=weighs_0";
// Masked by lengths, a row without keys is the mean of V (mask_filter_value); by a bias, NaN.
constexpr const char* contributed =
    "attest,empty_row=unspecified,empty_lse=unspecified,infinite_bias=weighs_0";
// With the causal attribute a row without keys may be 0, without it is NaN.
constexpr const char* grouped = contributed;

// By the definition of Attention every step has the type of the inputs: scores are f16 too.
constexpr const char* eager = "fp16-eager";

constexpr causal_by attribute = causal_by::attribute, mask = causal_by::mask;

const subject subjects[] = {
    {{"attention", attention_features, f32 | f16, kernel, eager}, attention, attribute},
    {{"attention/f64", attention_features, f64, function, nullptr}, attention, mask},
    {{"attention/f64/is_causal", ATTEST_CAUSAL_TOP_LEFT | ATTEST_BIAS, f64, function, nullptr},
     attention,
     attribute},
    {{"attention-24", attention_features | ATTEST_LENGTHS, f32 | f16, kernel, eager},
     attention_24,
     attribute},
    {{"attention-24/f64", attention_features | ATTEST_LENGTHS, f64, function, nullptr},
     attention_24,
     mask},
    {{"attention-3d", attention_features, f32 | f16, kernel, eager}, attention_3d, attribute},
    {{"multihead", multi_head_features, f32, contributed, nullptr}, multi_head, mask},
    {{"multihead/unidirectional", ATTEST_CAUSAL_TOP_LEFT | ATTEST_CROSS_LENGTHS, f32, contributed,
      nullptr},
     multi_head,
     attribute},
    {{"groupquery", group_query_features, f32 | f16, grouped, nullptr}, group_query, attribute},
    {{"contrib-attention", mask_features | ATTEST_LENGTHS | ATTEST_VALUE_WIDTH, f32, contributed,
      nullptr},
     contrib_attention,
     attribute},
};

std::vector<subject> subjects_here() {
  if (!exists(folder_of("onnxruntime") + "libonnxruntime.so.1")) return {};
  return {std::begin(subjects), std::end(subjects)};
}

}  // namespace
}  // namespace attest_adapter::onnxruntime

const attest_plugin* attest_plugin_at(std::uint32_t index) {
  using namespace attest_adapter;
  static const subject_table<onnxruntime::subject> table(version_of("onnxruntime"),
                                                         onnxruntime::subjects_here());
  return table.at(index);
}
