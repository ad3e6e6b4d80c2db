// The rules by which other test suites accept an attention output, as data and one function each:
// comparators to set beside the derived bound. They live in rules/, by what they compare.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/formats/format.h"

namespace attest {

// What a rule looks at: the answer to one problem beside what was due.
// Shapes: the arrays run over [B, Hq, Lq, Dv] and have the same length.
struct peer_evidence {
  const format* inputs = &f32;
  const format* stored = &f32;  // the format of the output
  bool one_query = false;
  bool soft_capped = false;
  std::vector<double> observed{};    // o, as the subject gave it
  std::vector<double> expected{};    // o, exact and rounded once to the format of the output
  std::vector<double> competitor{};  // o of an eager evaluation in the arithmetic of the inputs
  double control_error = 0;          // as class control_errors gives it
};

// What a rule reads beyond the output and the reference.
enum class peer_need : std::uint8_t { nothing, competitor, control_error };

struct peer_rule {
  std::string_view name;
  std::string_view accepts;    // when; x is the output, y the reference, z the competitor
  std::string_view nonfinite;  // what it makes of NaN and infinities
  std::string_view source;     // project and file
  peer_need needs = peer_need::nothing;
  bool (*accept)(const peer_evidence&) = nullptr;
};

std::span<const peer_rule* const> all_peer_rules();

// Error: input_error for a name not on the list.
const peer_rule& find_peer_rule(std::string_view name);

// Whether the rule accepts. Where there is nothing to compare, every rule does.
bool accepts(const peer_rule&, const peer_evidence&);

}  // namespace attest
