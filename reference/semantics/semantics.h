// The conventions that legitimate implementations choose differently.
#pragma once

#include <cstdint>
#include <string_view>

namespace attest {

// What the output of a row is when no key is kept (and there is no sink).
enum class empty_row : std::uint8_t {
  zero,
  nan,
  mean_of_values,  // the mean of v over all Lk keys, as a finite sentinel leaves it
  unspecified,     // any value; no other row may change
};

enum class lse_base : std::uint8_t { e, two };
enum class empty_lse : std::uint8_t { minus_infinity, plus_infinity, unspecified };
// Which KV head serves query head h: h / R, or h mod Hkv.
enum class head_map : std::uint8_t { repeat, tile };
// Whether the soft cap acts before the bias is added, or on the sum.
enum class cap_order : std::uint8_t { before_bias, after_bias };

// One choice of each. A named choice is a profile (profiles.h).
struct semantics {
  std::string_view name = "attest";
  empty_row on_empty_row = empty_row::zero;
  lse_base base = lse_base::e;
  empty_lse on_empty_lse = empty_lse::minus_infinity;
  head_map heads = head_map::repeat;
  cap_order cap = cap_order::before_bias;
};

}  // namespace attest
