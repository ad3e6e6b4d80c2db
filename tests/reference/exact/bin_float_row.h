// A second opinion on exact rows: other digits, another library's exponential, no code of the first
// but attention.h.
#pragma once

#include <span>
#include <string>

#include "reference/exact/exact_row.h"

namespace attest {

// Computes: the row in Boost's cpp_bin_float with 100 digits, and where it lies outside an
// enclosure; empty where it agrees with all of them.
std::string disagreement_with_bin_float(const problem&, const row_index&, const exact_row&);

// The same of the weights of a row, one a key of the problem.
std::string disagreement_with_bin_float(const problem&, const row_index&,
                                        std::span<const enclosure> weights);

}  // namespace attest
