// The matrices of a scorer, as parts of a problem.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// The most matrices that a scorer has.
inline constexpr std::size_t most_parameters = 4;

// One matrix of a scorer: what it is called, and which of its sizes are those of the problem.
struct parameter_shape {
  enum class extent : std::uint8_t { one, width, two_widths, hidden, positions };
  std::string_view name;
  extent rows = extent::one, columns = extent::one;
};

// Result: in the order of reference/definition/scorer.h; none for dot products and cosine.
std::span<const parameter_shape> parameters_of(scorer);

// Computes: [1, Hq, rows, columns] of each. hidden: A, the number of hidden units, or R, that of
// pairs that are turned. Of tables of positions, the least number of rows.
std::vector<index4> parameter_sizes(scorer, const shape&, std::int64_t hidden);

// Puts the parameters and the alpha that a seed draws into a problem. Hidden units are 1 to 6; the
// elements have the format of a bias, and sums of products the size of those of q and k; tables of
// angles turn all pairs or some, with one base and scaling or another, and are the same for all
// heads; alpha is 1.25 to 3. What the problem's semantics does not use stays as it is.
void draw_parameters(problem&, const format& inputs, std::uint64_t seed);

// Error: input_error where parameters or alpha are not those of the semantics of the problem: their
// number, their sizes, tables that differ between heads, an alpha not above 1, a sink beside
// another normalizer than softmax.
void require_parameters(const problem&);

}  // namespace attest
