// The closed list of features: what a problem can ask of a subject beyond plain dense attention.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// A value is the feature's bit number, in the plugin ABI too (properties/attest_plugin.h). The list
// only grows.
enum class feature : std::uint8_t {
  mask,                 // boolean mask, any of the 16 broadcast patterns over [B, Hq, Lq, Lk]
  bias,                 // additive bias, finite, likewise broadcast
  infinite_bias,        // -inf in the bias removes a key
  causal_top_left,      // keeps j <= i
  causal_bottom_right,  // keeps j <= i + (valid Lk - Lq)
  window,               // keeps i + offset - left <= j <= i + offset + right
  lengths,              // a key length per batch row
  grouped_heads,        // Hq a proper multiple of Hkv
  scale,                // a given c instead of 1 / sqrt(D)
  soft_cap,             // cap * tanh(r / cap)
  sink,                 // exp(sink_h) in the denominator
  lse,                  // returns ln(sum exp(t))
  cross_lengths,        // Lq != Lk
  value_width,          // Dv != D
  strides,              // any layout of q, k, v, o; without it tensors are dense [B, H, L, D]
  segments,             // packed documents: keeps keys of the query's own segment
  dilation,             // keeps keys at distances that are multiples of it
  chunks,               // keeps keys in the query's own chunk of positions
  global_keys,          // the first keys stay, whatever window, dilation, chunks and blocks say
  block_mask,           // a boolean mask of whole blocks of queries and keys
  alibi,                // slope_h * (j - position) joins the bias
  pages,                // k and v lie in pages of a pool, which a page table names
  dropout,              // a given mask takes weights from the output, the others are scaled
};

inline constexpr int feature_count = 23;

// A set of features.
class feature_set {
 public:
  constexpr feature_set() = default;
  constexpr explicit feature_set(std::uint64_t bits) : bits_(bits) {}
  static constexpr feature_set all() {
    return feature_set((std::uint64_t{1} << feature_count) - 1);
  }

  constexpr bool has(feature f) const { return (bits_ & bit(f)) != 0; }
  constexpr feature_set with(feature f) const { return feature_set(bits_ | bit(f)); }
  constexpr feature_set with(feature_set other) const { return feature_set(bits_ | other.bits_); }
  constexpr feature_set without(feature f) const { return feature_set(bits_ & ~bit(f)); }
  constexpr feature_set without(feature_set other) const {
    return feature_set(bits_ & ~other.bits_);
  }
  constexpr feature_set in(feature_set other) const { return feature_set(bits_ & other.bits_); }
  constexpr bool contains(feature_set other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint64_t bits() const { return bits_; }

  friend constexpr bool operator==(feature_set, feature_set) = default;

 private:
  static constexpr std::uint64_t bit(feature f) { return std::uint64_t{1} << static_cast<int>(f); }
  std::uint64_t bits_ = 0;
};

// What counts positions: none of these holds for the keys in another order.
inline constexpr feature_set positional_features = feature_set()
                                                       .with(feature::causal_top_left)
                                                       .with(feature::causal_bottom_right)
                                                       .with(feature::window)
                                                       .with(feature::dilation)
                                                       .with(feature::chunks)
                                                       .with(feature::global_keys)
                                                       .with(feature::block_mask)
                                                       .with(feature::alibi);

std::string_view name_of(feature);
// What the feature asks, in a sentence, for people.
std::string_view meaning_of(feature);
std::vector<feature> members(feature_set);
// Computes: "mask,causal_top_left", or "none".
std::string to_string(feature_set);
// Error: input_error for a name not on the list.
feature_set parse_feature_set(std::string_view comma_separated);

}  // namespace attest
