// Random problems for the second opinion: every regime, format, layout, feature and convention, in
// sizes that meet several blocks of keys.
#pragma once

#include <string>

#include "reference/problems/problem_spec.h"

namespace attest::second_opinion {

struct drawn_problem {
  problem asked;
  value_regime regime;
  std::string text;  // the problem's line and what was changed since, for people
};

// Computes: a problem of at most 2 batch rows, 6 query heads, 4 queries, 300 keys, width 130 and
// value width 130. Conventions are drawn one by one, so that they meet in ways no profile names; a
// bias holds the format's lowest number at times, a sink is large at times.
drawn_problem draw_problem(std::uint64_t seed);

}  // namespace attest::second_opinion
