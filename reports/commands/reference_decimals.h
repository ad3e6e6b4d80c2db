// The exact answer in as many decimal digits as asked for.
#pragma once

#include <string>
#include <vector>

#include "properties/exchange/array_problem.h"

namespace attest {

// As compute_decimal_row gives them, in row-major order.
struct decimals {
  std::vector<std::string> output;
  std::vector<std::string> lse;
};

// Computes: every row of the problem; shows progress. threads: 0 for one a core; the texts do not
// depend on it.
decimals compute_decimals(const problem&, int digits, int threads);

// Error: input_error unless the path is empty or ends in .txt or .json.
void require_decimals_path(const std::string& path);

// Result: what belongs in that file: a table of rows (.txt), or
//   {"digits": N, "o": {"shape": [...], "values": ["0.333", ...]}, "lse": {...}} (.json).
std::string decimals_text(const std::string& path, const array_problem&, const decimals&,
                          int digits);

}  // namespace attest
