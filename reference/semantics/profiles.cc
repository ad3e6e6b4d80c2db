#include "reference/semantics/profiles.h"

#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr profile profiles[] = {
    {{.name = "attest"},
     "empty rows are 0 with lse -inf, heads repeat, the cap acts before the bias"},
    {{.name = "torch-sdpa", .on_empty_row = empty_row::nan, .on_empty_lse = empty_lse::unspecified},
     "the math path of PyTorch 1.13: the softmax of an empty row is NaN"},
    {{.name = "flash-attention-2", .on_empty_lse = empty_lse::plus_infinity},
     "empty rows are 0 with lse +inf"},
    {{.name = "base-2-lse", .base = lse_base::two},
     "lse in base 2, as kernels that use exp2 keep it"},
    {{.name = "tiled-heads", .heads = head_map::tile},
     "query head h is served by KV head h mod Hkv"},
    {{.name = "finite-sentinel",
      .on_empty_row = empty_row::mean_of_values,
      .on_empty_lse = empty_lse::unspecified},
     "masked scores are a large negative number, so that an empty row is the mean of V"},
    {{.name = "unspecified-empty",
      .on_empty_row = empty_row::unspecified,
      .on_empty_lse = empty_lse::unspecified},
     "an empty row may hold anything"},
};

}  // namespace

std::span<const profile> all_profiles() { return profiles; }

const semantics& find_profile(std::string_view name) {
  std::string allowed;
  for (const profile& p : profiles) {
    if (p.rules.name == name) return p.rules;
    allowed += (allowed.empty() ? "" : ", ") + std::string(p.rules.name);
  }
  throw input_error("unknown profile '" + std::string(name) + "' (allowed: " + allowed + ")");
}

}  // namespace attest
