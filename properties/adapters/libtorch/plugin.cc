// PyTorch's C++ library on the CPU: scaled dot-product and multi-head attention.
#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "properties/adapters/libtorch/attention.h"
#include "properties/adapters/subject_table.h"
#include "properties/adapters/third_party.h"

namespace attest_adapter::libtorch {
namespace {

using attend = decltype(&attest_libtorch_attend);

// Result: the part that is linked with libtorch. It lies beside this one.
attend load() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&attest_plugin_at), &self) == 0)
    throw std::runtime_error("the adapter's folder is not known");
  const std::string own = self.dli_fname;
  const std::string path = own.substr(0, own.rfind('/') + 1) + ATTEST_LIBTORCH_PART;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  const auto found = reinterpret_cast<attend>(dlsym(handle, "attest_libtorch_attend"));
  if (found == nullptr) throw std::runtime_error(dlerror());
  return found;
}

struct subject {
  declaration declared;
  path way;

  void answer(const attest_forward& call) const {
    static const attend answer_with = load();
    if (const char* failure = answer_with(way, &call)) throw std::runtime_error(failure);
  }
};

constexpr std::uint64_t f32 = ATTEST_DTYPE_BIT(ATTEST_F32), f64 = ATTEST_DTYPE_BIT(ATTEST_F64),
                        bf16 = ATTEST_DTYPE_BIT(ATTEST_BF16);

constexpr std::uint64_t all_rules = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS |
                                    ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT |
                                    ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_CROSS_LENGTHS |
                                    ATTEST_VALUE_WIDTH;
// The module takes one mask for all heads and batch rows, and the lengths beside it, which the
// bottom right corner depends on.
constexpr std::uint64_t positions = ATTEST_CAUSAL_TOP_LEFT | ATTEST_WINDOW | ATTEST_CROSS_LENGTHS;

constexpr const char* profile = "attest,empty_row=nan,empty_lse=unspecified,infinite_bias=weighs_0";
// The softmax and its weights are bf16.
constexpr const char* contract = "bf16-eager";

std::vector<subject> subjects_here() {
  if (!exists(ATTEST_LIBTORCH_LIBRARY)) return {};
  return {{{"sdpa", all_rules, f32 | f64 | bf16, profile, contract}, path::scaled_dot_product},
          {{"mha", positions | ATTEST_LENGTHS, f32 | f64, profile, nullptr}, path::multi_head},
          {{"mha/boolean_mask", positions, f32 | f64, profile, nullptr},
           path::multi_head_boolean_mask}};
}

}  // namespace
}  // namespace attest_adapter::libtorch

const attest_plugin* attest_plugin_at(std::uint32_t index) {
  using namespace attest_adapter;
  static const subject_table<libtorch::subject> table("libtorch " ATTEST_LIBTORCH_VERSION,
                                                      libtorch::subjects_here());
  return table.at(index);
}
