// Under which other reading of the same tensors a wrong output would be right.
#pragma once

#include <string>
#include <vector>

#include "properties/dump/judge_dump.h"

namespace attest {

// Computes: the changes to what the dump is read under, one at a time, after which none of these
//   rows fails: "--causal bottom_right", "--profile base-2-lse", "without the mask". A guess for
//   the reader, no verdict.
// Domain: rows in order. The dump is changed while they are tried, and is then as it was.
std::vector<std::string> readings_that_hold(dump&, const contract&, const std::vector<row_index>&);

}  // namespace attest
