// For which members of the family a law holds: sets of scorers and of normalizers.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "reference/semantics/semantics.h"

namespace attest {

template <class Enum>
class set_of {
 public:
  constexpr set_of(std::initializer_list<Enum> members) {
    for (Enum each : members) bits_ |= bit(each);
  }
  constexpr set_of with(std::initializer_list<Enum> others) const {
    set_of both = others;
    both.bits_ |= bits_;
    return both;
  }
  constexpr bool has(Enum each) const { return (bits_ & bit(each)) != 0; }

 private:
  static constexpr std::uint32_t bit(Enum each) {
    return std::uint32_t{1} << static_cast<unsigned>(each);
  }
  std::uint32_t bits_ = 0;
};

inline constexpr set_of<scorer> products_of_q_and_k{scorer::scaled_dot, scorer::dot};
// Those to which a key is the same wherever it stands.
inline constexpr set_of<scorer> scorers_without_positions{
    scorer::scaled_dot,    scorer::dot,         scorer::general, scorer::additive,
    scorer::concat,        scorer::cosine,      scorer::mlp,     scorer::elu_features,
    scorer::relu_features, scorer::exp_features};
inline constexpr set_of<scorer> every_scorer =
    scorers_without_positions.with({scorer::rotary_halves, scorer::rotary_pairs});

inline constexpr set_of<normalizer> softmax_alone{normalizer::softmax};
// Those that a constant on every logit leaves as they are.
inline constexpr set_of<normalizer> shift_invariant_normalizers{
    normalizer::softmax, normalizer::sparsemax, normalizer::entmax_1_5, normalizer::alpha_entmax,
    normalizer::uniform};
// Those whose weights are never negative and sum to 1: an output is between values.
inline constexpr set_of<normalizer> convex_normalizers =
    shift_invariant_normalizers.with({normalizer::relu_ratio});
// Those whose weights sum to 1.
inline constexpr set_of<normalizer> normalizers_to_1 = convex_normalizers.with({normalizer::ratio});
inline constexpr set_of<normalizer> every_normalizer =
    normalizers_to_1.with({normalizer::identity});

}  // namespace attest
