// How far a row that is merged from parts may be off when its parts are.
// Statement and proof: derivation/bounds/parts.md.
#pragma once

#include <span>

namespace attest {

// One part of the keys of a row, at one column of the output.
struct part_error {
  double share = 0;     // w, the part of the row's mass that lies in it
  double lse = 0;       // L, the largest error of its lse, in base e
  double output = 0;    // B, the largest error of its output
  double distance = 0;  // |o_s - o|, from the exact output of the part to that of the row
};

// Computes: the largest errors of sum_s w~_s o~_s and of ln sum_s exp(lse~_s), merged exactly.
// Domain: the shares add up to 1, within 1e-10. Special: infinity where one of the errors
// that it depends on is infinite.
double merged_output_bound(std::span<const part_error>);
double merged_lse_bound(std::span<const part_error>);

}  // namespace attest
