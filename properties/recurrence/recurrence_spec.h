// The parameters from which every bit of a problem of linear attention follows, and their one line
// of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/recurrence/recurrence_feature.h"
#include "reference/linear/linear_problem.h"

namespace attest {

// What has a logarithm of decay of its own; the numbers are those of enum attest_decay.
enum class decay_kind : std::uint8_t { none, head, position, channel };

// How the state fades.
enum class fading_regime : std::uint8_t {
  usual,   // logs in (-1, 0]
  slow,    // by a thousandth at most
  fast,    // e^-16 to e^-4: hardly anything stays
  none,    // logs of 0: by a factor of 1
  resets,  // now and then by e^-200, which is 0 in most formats; of a head: as usual
};

// What share of the difference the delta rule writes.
enum class rate_regime : std::uint8_t { usual, zero, one, two, mixed };

enum class element_regime : std::uint8_t {
  normal,
  exact,    // small integers
  large,    // values and states 1,024 times as large, of f16 32 times
  small,    // values and states 2^-14 times as large, of f16 2^-6 times
  one_hot,  // a key is one coordinate; which one, goes round with the position
};

struct recurrence_spec {
  shape dims;  // queries = keys: the number of positions
  const format* inputs = &f32;
  bool delta = false;
  decay_kind decay = decay_kind::none;
  bool erase = false;
  feature_map map = feature_map::identity;
  std::int64_t draws = 0;  // A of exp_features; 0 of another map
  bool normalised = false;
  bool state_in = false, state_out = false;
  std::optional<double> scale;
  element_regime elements = element_regime::normal;
  fading_regime fading = fading_regime::usual;
  rate_regime rates = rate_regime::usual;
  layout placed = layout::bhld;
  std::uint64_t seed = 0;

  friend bool operator==(const recurrence_spec&, const recurrence_spec&) = default;
};

// Computes: "B=2 Hq=3 ... seed=7", defaults left out; parse_recurrence_line reads it back.
std::string to_line(const recurrence_spec&);

// Error: input_error for an unknown key, a key twice, a value that is not allowed, or parameters
// that do not fit: sizes below 1 or more than 2^24 elements, heads that do not divide, erase or
// rates without the delta rule, a normaliser beside another map than elu_plus_1 and exp_features, a
// delta rule, a state before or a scale, exp_features without their number or the other way round,
// a layout that is for inputs only.
recurrence_spec parse_recurrence_line(std::string_view line);

// Whether no feature of such a map is below 0.
bool is_positive(feature_map);

// What it asks.
recurrence_features features_of(const recurrence_spec&);

}  // namespace attest
