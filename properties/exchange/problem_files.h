// The files of a problem that somebody else poses, and the arrays found in them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/exchange/array.h"

namespace attest {

// One file that names its arrays (.npz, .safetensors): q, k, v and, where it has them, mask, bias,
// sink, lengths. Or three files of one array each: q, k, v. The others may have files of their own.
struct problem_files {
  std::vector<std::string> in;
  std::string mask, bias, sink, lengths;  // files of one array; empty: none
  std::string o, lse;                     // likewise, of an answer
};

// An array, and what messages call it: "in.npz: q", or "q.npy".
struct found_array {
  array held;
  std::string where;
};

// By name, as problem_arrays.h lists them; o and lse of an answer.
using found_arrays = std::map<std::string, found_array>;

// What a file may hold beside the problem: o and lse of an answer, o among them; or those and do,
// dlse and gradients of a backward pass, do and a gradient among them.
enum class arrays_beside : std::uint8_t { nothing, answer, gradients };

// Error: input_error for other names in a file, for an array given twice, and where q, k or v, or
// what there must be beside them, is missing.
found_arrays find_arrays(const problem_files&, arrays_beside = arrays_beside::nothing);

}  // namespace attest
