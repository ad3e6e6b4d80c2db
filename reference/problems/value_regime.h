// The kinds of values that fill a problem: each exposes another kind of defect.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/formats/format.h"
#include "reference/tensors/tensor.h"

namespace attest {

struct shape;

enum class value_regime : std::uint8_t {
  normal,
  uniform,
  constant,
  one_hot,
  large_scores,
  negative_scores,
  ties,
  ascending,
  descending,
  outliers,
  near_overflow,
  subnormal,
  signed_zeros,
  exact,
};

struct regime_text {
  value_regime regime;
  std::string_view name;
  std::string_view meaning;
};

std::span<const regime_text> all_regimes();
std::string_view name_of(value_regime);
// Error: input_error for a name not on the list.
value_regime find_regime(std::string_view name);

enum class operand : std::uint8_t { q, k, v };

// What a value may depend on besides its own indices.
struct value_source {
  value_regime regime;
  const format* inputs;
  std::int64_t keys;
  std::int64_t width;
  double scale;  // c, so that regimes of scores can aim at t
  std::uint64_t seed;
};

// Computes: the value of one element, before it is rounded to the input format. index: [b, h, l,
// d].
double regime_value(const value_source&, operand, const index4& index);

}  // namespace attest
