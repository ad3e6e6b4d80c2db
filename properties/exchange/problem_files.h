// The files of a problem that somebody else poses, and the arrays found in them.
#pragma once

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

// Error: input_error for other names in a file, for an array given twice, and where q, k or v is
// missing. answer: whether the file may hold o and lse too, and then holds o.
found_arrays find_arrays(const problem_files&, bool answer = false);

}  // namespace attest
