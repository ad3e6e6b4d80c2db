#include "properties/plugin/plugin_info.h"

#include "properties/exchange/contract_json.h"
#include "properties/plugin/plugin_call.h"
#include "properties/plugin/plugin_library.h"
#include "reference/input_error.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

// The ABI's bits are the feature list's.
constexpr bool same_bit(std::uint64_t abi, feature f) {
  return feature_set(abi) == feature_set().with(f);
}
static_assert(same_bit(ATTEST_MASK, feature::mask));
static_assert(same_bit(ATTEST_BIAS, feature::bias));
static_assert(same_bit(ATTEST_INFINITE_BIAS, feature::infinite_bias));
static_assert(same_bit(ATTEST_CAUSAL_TOP_LEFT, feature::causal_top_left));
static_assert(same_bit(ATTEST_CAUSAL_BOTTOM_RIGHT, feature::causal_bottom_right));
static_assert(same_bit(ATTEST_WINDOW, feature::window));
static_assert(same_bit(ATTEST_LENGTHS, feature::lengths));
static_assert(same_bit(ATTEST_GROUPED_HEADS, feature::grouped_heads));
static_assert(same_bit(ATTEST_SCALE, feature::scale));
static_assert(same_bit(ATTEST_SOFT_CAP, feature::soft_cap));
static_assert(same_bit(ATTEST_SINK, feature::sink));
static_assert(same_bit(ATTEST_LSE, feature::lse));
static_assert(same_bit(ATTEST_CROSS_LENGTHS, feature::cross_lengths));
static_assert(same_bit(ATTEST_VALUE_WIDTH, feature::value_width));
static_assert(same_bit(ATTEST_STRIDES, feature::strides));
static_assert(same_bit(ATTEST_SEGMENTS, feature::segments));
static_assert(same_bit(ATTEST_DILATION, feature::dilation));
static_assert(same_bit(ATTEST_CHUNKS, feature::chunks));
static_assert(same_bit(ATTEST_GLOBAL_KEYS, feature::global_keys));
static_assert(same_bit(ATTEST_BLOCK_MASK, feature::block_mask));
static_assert(same_bit(ATTEST_ALIBI, feature::alibi));
static_assert(same_bit(ATTEST_DROPOUT, feature::dropout));
static_assert(same_bit(ATTEST_PAGES, feature::pages));
static_assert(feature_set::all() == feature_set(known_features));

std::vector<const format*> declared_inputs(std::uint64_t bits) {
  static_assert(plugin_dtypes.size() == input_dtypes);
  std::vector<const format*> inputs;
  for (std::size_t i = 0; i < plugin_dtypes.size(); ++i)
    if ((bits >> i & 1) != 0) inputs.push_back(plugin_dtypes[i]);
  return inputs;
}

// attest-host has looked at them, but what comes from there is looked at again.
void require_known_bits(const plugin_description& d) {
  if ((d.features & ~feature_set::all().bits()) != 0 || d.dtypes == 0 ||
      d.dtypes >> input_dtypes != 0)
    throw input_error("plugin " + d.name + " declares features or dtypes that are not known");
}

}  // namespace

subject_info read_description(const plugin_description& d, std::string_view address) {
  require_known_bits(d);
  subject_info info;
  info.address = address;
  info.name = d.name;
  info.version = d.version;
  info.features = feature_set(d.features);
  info.inputs = declared_inputs(d.dtypes);
  if (d.profile) {
    if (*d.profile != identify_profile) find_profile(*d.profile);
    info.profile = *d.profile;
    info.profile_origin = origin::declared;
  }
  info.lse_is_optional = true;
  if (d.contract) info.contracts = parse_declared_contracts(*d.contract, d.name + "'s contract");
  return info;
}

plugin_address::plugin_address(std::string_view address) {
  const std::size_t dot = address.find(".so");
  const std::size_t colon = dot == std::string_view::npos ? dot : address.find(':', dot);
  path = address.substr(0, colon);
  if (colon == std::string_view::npos) return;
  name = address.substr(colon + 1);
  if (name.empty())
    reject_plugin(
        path,
        "no name stands after the colon (allowed: a subject's name, or no colon for the first)");
}

}  // namespace attest
