// The closed list of what a problem of linear attention can ask of a subject.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// A value is the feature's bit number, in the ABI too (properties/attest_recurrence.h). The list
// only grows.
enum class recurrence_feature : std::uint8_t {
  sum,             // the rule that adds keys and values up
  delta,           // the delta rule
  head_decay,      // a logarithm of decay a head
  position_decay,  // and position
  channel_decay,   // and channel
  erase,           // what of a key the delta rule looks up
  identity,        // phi(x) = x
  elu_plus_1,      // x + 1, below 0 exp(x)
  relu,            // max(x, 0)
  normalised,      // outputs are divided by the sum of their weights
  state_in,        // a state before the first position
  state_out,       // the state after the last one
  scale,           // a given factor of outputs
  grouped_heads,   // Hq a proper multiple of Hkv
  value_width,     // Dv != D
  strides,         // any layout of q, k, v, o; without it tensors are dense [B, H, L, D]
  exp_features,    // exp(w_a . x - x . x / 2) of given draws w
};

inline constexpr int recurrence_feature_count = 17;

class recurrence_features {
 public:
  constexpr recurrence_features() = default;
  constexpr explicit recurrence_features(std::uint64_t bits) : bits_(bits) {}
  static constexpr recurrence_features all() {
    return recurrence_features((std::uint64_t{1} << recurrence_feature_count) - 1);
  }

  constexpr bool has(recurrence_feature f) const { return (bits_ & bit(f)) != 0; }
  constexpr recurrence_features with(recurrence_feature f) const {
    return recurrence_features(bits_ | bit(f));
  }
  constexpr recurrence_features without(recurrence_features other) const {
    return recurrence_features(bits_ & ~other.bits_);
  }
  constexpr bool contains(recurrence_features other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool meets(recurrence_features other) const { return (other.bits_ & bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint64_t bits() const { return bits_; }

  friend constexpr bool operator==(recurrence_features, recurrence_features) = default;

 private:
  static constexpr std::uint64_t bit(recurrence_feature f) {
    return std::uint64_t{1} << static_cast<int>(f);
  }
  std::uint64_t bits_ = 0;
};

std::string_view name_of(recurrence_feature);
// What it asks, in a sentence, for people.
std::string_view meaning_of(recurrence_feature);
std::vector<recurrence_feature> members(recurrence_features);
// Computes: "sum,identity", or "none".
std::string to_string(recurrence_features);
// Error: input_error for a name not on the list.
recurrence_features parse_recurrence_features(std::string_view comma_separated);

// Error: input_error naming `who`, where no rule, or no feature map, is among them.
void require_answerable(recurrence_features, const std::string& who);

}  // namespace attest
