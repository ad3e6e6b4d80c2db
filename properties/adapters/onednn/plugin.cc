// oneDNN's matmul and softmax on the CPU: matmul/INSTRUCTIONS, for those that this processor has.
#include <dnnl.hpp>
#include <string>
#include <vector>

#include "properties/adapters/onednn/attention.h"
#include "properties/adapters/subject_table.h"
#include "properties/adapters/third_party.h"

namespace attest_adapter::onednn {
namespace {

// A set of kernels, and what a processor needs for it.
struct kernel_set {
  const char* name;
  instructions most;
  const char* needs;
  std::uint64_t dtypes;
};

constexpr std::uint64_t f32 = ATTEST_DTYPE_BIT(ATTEST_F32), bf16 = ATTEST_DTYPE_BIT(ATTEST_BF16);

constexpr kernel_set kernel_sets[] = {
    {"sse41", instructions::sse41, "sse4_1", f32},
    {"avx", instructions::avx, "avx", f32},
    {"avx2", instructions::avx2, "avx2", f32},
    {"avx512_core", instructions::avx512_core, "avx512f avx512bw avx512vl avx512dq", f32 | bf16},
    {"avx512_core_bf16", instructions::avx512_core_bf16,
     "avx512f avx512bw avx512vl avx512dq avx512_vnni avx512_bf16", f32 | bf16},
    {"avx512_core_amx", instructions::avx512_core_amx,
     "avx512f avx512bw avx512vl avx512dq avx512_vnni avx512_bf16 amx_tile amx_int8 amx_bf16",
     f32 | bf16},
};

constexpr std::uint64_t features =
    ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_CAUSAL_TOP_LEFT |
    ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS |
    ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH;

// The softmax of a row of nothing but -inf is 0 / 0.
constexpr const char* profile = "attest,empty_row=nan,empty_lse=unspecified,infinite_bias=weighs_0";
// Scores are f32; normalised weights are stored in bf16 for the second product.
constexpr const char* contract =
    R"({"name": "onednn-bf16", "from": "bf16-flash", "may_normalise_weights": true})";

struct subject {
  declaration declared;
  instructions most;

  void answer(const attest_forward& call) const { attend(most, call); }
};

std::vector<subject> subjects_here() {
  std::vector<subject> found;
  for (const kernel_set& k : kernel_sets)
    if (processor_has(k.needs))
      found.push_back({{std::string("matmul/") + k.name, features, k.dtypes, profile,
                        (k.dtypes & bf16) != 0 ? contract : nullptr},
                       k.most});
  return found;
}

std::string version() {
  const dnnl::version_t* v = dnnl::version();
  return "oneDNN " + std::to_string(v->major) + '.' + std::to_string(v->minor) + '.' +
         std::to_string(v->patch);
}

}  // namespace
}  // namespace attest_adapter::onednn

const attest_plugin* attest_plugin_at(std::uint32_t index) {
  using namespace attest_adapter;
  static const subject_table<onednn::subject> table(onednn::version(), onednn::subjects_here());
  return table.at(index);
}
