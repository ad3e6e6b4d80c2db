#include "reference/semantics/feature.h"

#include <array>

#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

struct feature_text {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<feature_text, feature_count> texts{{
    {"mask", "a boolean mask in any of the 16 broadcast patterns"},
    {"bias", "an additive bias in any of the 16 broadcast patterns"},
    {"infinite_bias", "-inf in the bias removes the key"},
    {"causal_top_left", "query i sees keys j <= i"},
    {"causal_bottom_right", "query i sees keys j <= i + (valid Lk - Lq)"},
    {"window", "query i sees keys from left before to right after its own position"},
    {"lengths", "each batch row has its own number of valid keys"},
    {"grouped_heads", "several query heads share a key-value head"},
    {"scale", "a given scale instead of 1 / sqrt(D)"},
    {"soft_cap", "scores pass through cap * tanh(score / cap)"},
    {"sink", "a logit per head that takes weight but has no value"},
    {"lse", "the log of the sum of exponentials is returned too"},
    {"cross_lengths", "the number of queries differs from the number of keys"},
    {"value_width", "values are not as wide as keys"},
    {"strides", "q, k, v and o lie in any strided layout"},
    {"segments", "packed documents: a query sees the keys of its own segment"},
    {"dilation", "a query sees keys at distances that are multiples of the dilation"},
    {"chunks", "a query sees the keys in its own chunk of positions"},
    {"global_keys", "the first keys are seen whatever window, dilation, chunks and blocks say"},
    {"block_mask", "a boolean mask of whole blocks of queries and keys"},
    {"alibi", "a slope per head times the distance j - position is added to the score"},
    {"pages", "keys and values lie in pages of a pool, in any order, which a page table names"},
    {"dropout",
     "a given mask drops weights after their sum; the kept ones are multiplied by a scale"},
}};

const feature_text& text_of(feature f) { return texts[static_cast<std::size_t>(f)]; }

feature parse_feature(std::string_view name) {
  for (feature f : members(feature_set::all()))
    if (name_of(f) == name) return f;
  throw input_error("unknown feature '" + std::string(name) +
                    "' (allowed: " + to_string(feature_set::all()) + ")");
}

}  // namespace

std::string_view name_of(feature f) { return text_of(f).name; }
std::string_view meaning_of(feature f) { return text_of(f).meaning; }

std::vector<feature> members(feature_set set) {
  std::vector<feature> result;
  for (int i = 0; i < feature_count; ++i)
    if (const auto f = static_cast<feature>(i); set.has(f)) result.push_back(f);
  return result;
}

std::string to_string(feature_set set) {
  std::string result;
  for (feature f : members(set)) {
    if (!result.empty()) result += ',';
    result += name_of(f);
  }
  return result.empty() ? "none" : result;
}

feature_set parse_feature_set(std::string_view comma_separated) {
  feature_set result;
  for (std::string_view name : split(comma_separated, ','))
    if (!name.empty() && name != "none") result = result.with(parse_feature(name));
  return result;
}

}  // namespace attest
