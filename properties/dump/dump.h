// What a program stored of one attention: its inputs and the output that came of them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "properties/exchange/problem_files.h"
#include "reference/contract/contract.h"
#include "reference/problems/problem.h"

namespace attest {

// How the axes of q, k, v and o follow each other: [B, H, L, D] or [B, L, H, D].
enum class axis_order : std::uint8_t { bhld, blhd };

struct dump {
  problem
      posed;  // as to_problem gives it: the caller sets causal, window, scale, cap and semantics
  tensor o;   // in f64
  std::optional<tensor> lse;
  std::map<std::string, const format*> stored;  // the formats of the floating arrays, by name
};

// Shapes: o [B, Hq, Lq, Dv] and lse [B, Hq, Lq], with as many axes as q has; in the order blhd o is
//   [B, Lq, Hq, Dv], and lse may be [B, Lq, Hq] where that is another size.
// Error: input_error naming the array and what does not fit.
dump to_dump(found_arrays, axis_order);

// Result: the contract of that name or file; the default one of q's format for no text.
// Error: input_error where q holds numbers that are none of the contract's inputs.
contract contract_of(const dump&, const std::string& name_or_path);
// The same of a problem whose q was stored in that format.
contract contract_of(const problem&, const format& stored, const std::string& name_or_path);

}  // namespace attest
