// The parameters from which every bit of a problem follows, and their one line of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/formats/format.h"
#include "reference/problems/problem.h"
#include "reference/problems/value_regime.h"

namespace attest {

struct problem_spec {
  shape dims;
  const format* inputs = &f32;
  std::string profile = "attest";  // as find_profile reads it
  value_regime regime = value_regime::normal;
  layout placed = layout::bhld;
  // Bit k: the mask (bias) varies along axis k of [B, Hq, Lq, Lk]; absent: there is none.
  std::optional<unsigned> mask_axes;
  std::optional<unsigned> bias_axes;
  bool infinite_bias = false;  // some entries of the bias are -inf
  causal_anchor causal = causal_anchor::none;
  window sliding;
  key_pattern pattern;
  std::optional<unsigned> block_axes;  // of the block mask, as those of the mask
  bool packed = false;                 // several segments to a batch row
  bool alibi = false;
  bool ragged = false;  // a random key length a batch row
  bool sink = false;
  double soft_cap = 0;
  std::optional<double> scale;
  std::int64_t page = 0;  // keys to a page; 0: K and V are contiguous
  std::uint64_t seed = 0;
  // Of the dropout mask, as those of the mask. Its scale is 1 / (1 - p) of the p that it drops
  // with.
  std::optional<unsigned> dropout_axes;
  double dropout_scale = 1;

  friend bool operator==(const problem_spec&, const problem_spec&) = default;
};

// Computes: "B=2 Hq=3 ... seed=7", defaults left out; parse_problem_line reads it back.
std::string to_line(const problem_spec&);

// Error: input_error for an unknown key, a key twice, a value out of range, or parameters that do
// not fit.
problem_spec parse_problem_line(std::string_view line);

// Error: input_error when the parameters do not describe a problem (sizes below 0 or above 2^40,
// heads that do not divide, a window below -1, a soft cap below 0, storage above 2^33 elements).
void validate(const problem_spec&);

// Whether something takes keys out of the set of some query.
bool removes_keys(const problem_spec&);

// Computes: the same without all that counts positions but the causal triangle.
problem_spec without_patterns(problem_spec);

// Computes: the format of bias, sink and lse that goes with inputs of a format: the same, but f32
// beside 8-bit ones.
const format& side_format(const format& inputs);

// Computes: the problem, every bit of it, the same on any machine and compiler. An element depends
// on the seed and its own indices only: a problem with smaller dimensions is a corner of the larger
// one.
problem materialise(const problem_spec&);

}  // namespace attest
