#include "reports/words/problem_words.h"

#include <vector>

#include "reference/text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string head_words(const shape& s) {
  if (s.query_heads == s.kv_heads) return counted(s.query_heads, "head", "heads");
  return counted(s.query_heads, "query head", "query heads") + " on " +
         counted(s.kv_heads, "KV head", "KV heads");
}

std::string axes_words(unsigned axes) {
  constexpr std::string_view names[] = {"batch", "head", "query", "key"};
  std::vector<std::string> words;
  for (unsigned k = 0; k < 4; ++k)
    if ((axes >> k & 1) != 0) words.emplace_back(names[k]);
  return words.empty() ? "the same everywhere" : "by " + joined(words, ", ");
}

std::string causal_words(causal_anchor anchor) {
  return anchor == causal_anchor::top_left ? "causal, anchored top left"
                                           : "causal, anchored bottom right";
}

std::string side_words(std::int64_t keys, std::string_view side) {
  if (keys < 0) return "any number " + std::string(side);
  return std::to_string(keys) + " " + std::string(side);
}

std::string window_words(const window& w) {
  return "a window of keys: " + side_words(w.left, "before") + ", " + side_words(w.right, "after");
}

std::string layout_words(layout placed) {
  switch (placed) {
    case layout::bhld:
      break;
    case layout::blhd:
      return "heads inside the sequence in memory";
    case layout::fused:
      return "q, k, v as slices of wider rows in memory";
    case layout::reversed:
      return "the sequence backwards in memory";
    case layout::spread:
      return "every second element in memory";
    case layout::mirrored:
      return "elements backwards in memory";
    case layout::far:
      return "positions more than 2^32 elements apart in memory";
    case layout::shared:
      return "one batch row shared by all in memory";
  }
  return "dense in memory";
}

void add_pattern_words(std::vector<std::string>& words, const problem_spec& spec) {
  const key_pattern& by = spec.pattern;
  if (by.dilation != 1) words.push_back("dilation " + std::to_string(by.dilation));
  if (by.chunk != 0) words.push_back("chunks of " + std::to_string(by.chunk));
  if (by.global_keys != 0) words.push_back(counted(by.global_keys, "global key", "global keys"));
  if (spec.block_axes)
    words.push_back("a mask of blocks of " + std::to_string(by.block_queries) + " x " +
                    std::to_string(by.block_keys) + " (" + axes_words(*spec.block_axes) + ")");
  if (spec.packed) words.emplace_back("segments");
  if (spec.alibi) words.emplace_back("slopes of ALiBi");
}

void add_key_features(std::vector<std::string>& words, const problem_spec& spec) {
  if (spec.mask_axes) words.push_back("a mask (" + axes_words(*spec.mask_axes) + ")");
  if (spec.bias_axes)
    words.push_back("a bias (" + axes_words(*spec.bias_axes) + ")" +
                    (spec.infinite_bias ? " with -inf in it" : ""));
  if (spec.causal != causal_anchor::none) words.push_back(causal_words(spec.causal));
  if (!spec.sliding.open()) words.push_back(window_words(spec.sliding));
  add_pattern_words(words, spec);
  if (spec.ragged) words.emplace_back("a number of valid keys for each batch row");
}

void add_score_features(std::vector<std::string>& words, const problem_spec& spec) {
  if (spec.scale) words.push_back("scale " + to_text(*spec.scale));
  if (spec.soft_cap > 0) words.push_back("soft cap " + to_text(spec.soft_cap));
  if (spec.sink) words.emplace_back("a sink");
  if (spec.dropout_axes)
    words.push_back("a dropout mask (" + axes_words(*spec.dropout_axes) + "), scale " +
                    to_text(spec.dropout_scale));
  if (spec.placed != layout::bhld) words.push_back(layout_words(spec.placed));
  if (spec.page > 0) words.push_back("K and V in pages of " + counted(spec.page, "key", "keys"));
  if (spec.profile != "attest") words.push_back("profile " + spec.profile);
}

}  // namespace

std::string shape_words(const problem_spec& spec) {
  const shape& s = spec.dims;
  std::vector<std::string> words;
  if (s.batch != 1) words.push_back(counted(s.batch, "batch row", "batch rows"));
  if (s.query_heads != 1) words.push_back(head_words(s));
  words.push_back(counted(s.queries, "query", "queries"));
  words.push_back(counted(s.keys, "key", "keys"));
  words.push_back("width " + std::to_string(s.width));
  if (s.value_width != s.width) words.push_back("value width " + std::to_string(s.value_width));
  return joined(words, ", ");
}

std::string value_words(const problem_spec& spec) {
  std::string text = std::string(spec.inputs->name) + ", " + std::string(name_of(spec.regime));
  for (const regime_text& regime : all_regimes())
    if (regime.regime == spec.regime) text += " (" + std::string(regime.meaning) + ")";
  return text;
}

std::string feature_words(const problem_spec& spec) {
  std::vector<std::string> words;
  add_key_features(words, spec);
  add_score_features(words, spec);
  return words.empty() ? "nothing beyond plain dense attention" : joined(words, "; ");
}

}  // namespace attest
