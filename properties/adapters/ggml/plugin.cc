// ggml's attention on the CPU: flash/VARIANT/kv=TYPE[/threads=2] and composed/VARIANT/kv=TYPE, for
// every build of the library that this processor can run.
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "properties/adapters/ggml/attention.h"
#include "properties/adapters/subject_table.h"
#include "properties/adapters/third_party.h"

namespace attest_adapter::ggml {
namespace {

// A build of ggml's CPU backend and the instructions that it was compiled for.
struct variant {
  const char* name;
  const char* needs;
};

constexpr variant variants[] = {
    {"x64", ""},
    {"sse42", "sse4_2"},
    {"sandybridge", "avx"},
    {"ivybridge", "avx f16c"},
    {"piledriver", "avx f16c fma"},
    {"haswell", "avx2 f16c fma bmi2"},
    {"alderlake", "avx2 f16c fma bmi2 avx_vnni"},
    {"skylakex", "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw"},
    {"cannonlake", "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512vbmi"},
    {"cascadelake", "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512_vnni"},
    {"cooperlake",
     "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512_vnni avx512_bf16"},
    {"icelake",
     "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512vbmi avx512_vnni"},
    {"zen4",
     "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512vbmi avx512_vnni "
     "avx512_bf16"},
    {"sapphirerapids",
     "avx2 f16c fma bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512vbmi avx512_vnni "
     "avx512_bf16 amx_tile amx_int8"},
};

// What a mask can say: every rule about keys. It is F16, so that a bias is exact in F16 only.
constexpr std::uint64_t mask_features =
    ATTEST_MASK | ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW |
    ATTEST_LENGTHS | ATTEST_GROUPED_HEADS | ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK |
    ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH;
constexpr std::uint64_t bias_features = mask_features | ATTEST_BIAS | ATTEST_INFINITE_BIAS;

struct element {
  const char* name;
  std::uint32_t dtype;
};

constexpr element elements[] = {{"f32", ATTEST_F32}, {"f16", ATTEST_F16}, {"bf16", ATTEST_BF16}};

// Flash attention reads masked keys where it works in tiles: they must be finite. llama.cpp clears
// its cache for that.
constexpr const char* flash_profile = "ggml,masked_slots=finite_only";
// soft_max_ext of a row whose mask is -inf throughout is 0 / 0.
constexpr const char* composed_profile =
    "attest,empty_row=nan,empty_lse=unspecified,infinite_bias=weighs_0";

// F32 accumulators were asked for (GGML_PREC_F32): as fp16-flash and bf16-flash, which also allow
// q, exact here, and weights in 16 bits. The composed path stores normalised weights in the type of
// V on their way into the second product.
constexpr const char* composed_f16 =
    R"({"name": "ggml-composed-f16", "from": "fp16-flash", "may_normalise_weights": true})";
constexpr const char* composed_bf16 =
    R"({"name": "ggml-composed-bf16", "from": "bf16-flash", "may_normalise_weights": true})";

const char* contract_of(path way, std::uint32_t dtype) {
  if (way == path::flash || dtype == ATTEST_F32) return nullptr;
  return dtype == ATTEST_F16 ? composed_f16 : composed_bf16;
}

const library& loaded(const std::string& variant_name) {
  static std::map<std::string, library> libraries;
  const auto found = libraries.find(variant_name);
  if (found != libraries.end()) return found->second;
  return libraries.emplace(variant_name, load(folder_of("ggml"), variant_name)).first->second;
}

struct subject {
  declaration declared;
  std::string variant_name;
  path way;
  int threads;

  void answer(const attest_forward& call) const {
    attend(loaded(variant_name), way, threads, call);
  }
};

subject make_subject(const variant& v, path way, const element& e, int threads) {
  const bool flash = way == path::flash;
  subject s{{}, v.name, way, threads};
  s.declared.name = std::string(flash ? "flash/" : "composed/") + v.name + "/kv=" + e.name +
                    (threads > 1 ? "/threads=" + std::to_string(threads) : "");
  s.declared.features = flash && e.dtype != ATTEST_F16 ? mask_features : bias_features;
  s.declared.dtypes = ATTEST_DTYPE_BIT(e.dtype);
  s.declared.profile = flash ? flash_profile : composed_profile;
  s.declared.contract = contract_of(way, e.dtype);
  return s;
}

void add_variant(std::vector<subject>& to, const variant& v) {
  for (const element& e : elements) {
    to.push_back(make_subject(v, path::flash, e, 1));
    to.push_back(make_subject(v, path::flash, e, 2));
    to.push_back(make_subject(v, path::composed, e, 1));
  }
}

std::vector<subject> subjects_here() {
  std::vector<subject> found;
  for (const variant& v : variants)
    if (processor_has(v.needs) && exists(folder_of("ggml") + "libggml-cpu-" + v.name + ".so"))
      add_variant(found, v);
  return found;
}

}  // namespace
}  // namespace attest_adapter::ggml

const attest_plugin* attest_plugin_at(std::uint32_t index) {
  using namespace attest_adapter;
  static const subject_table<ggml::subject> table(version_of("ggml"), ggml::subjects_here());
  return table.at(index);
}
