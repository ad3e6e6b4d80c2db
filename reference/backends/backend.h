// Built-in evaluations of the definition, in a chosen arithmetic and order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/backends/schedule.h"
#include "reference/contract/contract.h"
#include "reference/problems/problem.h"

namespace attest {

struct backend {
  std::string name;  // canonical: "float32", "fp16-eager/online=16"
  std::string about;
  const contract* keeps;              // the contract that it keeps; nullptr: a multiprecision one
  std::vector<const format*> inputs;  // that it is offered for

  // Computes: o, and lse where given, into tensors of the right sizes, any layout. Every call gives
  // the same bits. Error: within what the contract allows; a multiprecision one is correctly
  // rounded to the format of o and lse,
  //   but where its own error decides (about 1e-50, 1e-100, 1e-100 of sum a|v|).
  // Special: an empty row holds what the semantics gives it.
  void (*evaluate)(const backend&, const problem&, tensor& o, tensor* lse);
  schedule visits;

  // Whether it does that member of the family: a softmax of products each does; the others those
  // that evaluate the definition as it stands, in two passes of one number.
  bool computes(const semantics&) const;
};

// A number and an order, "NUMBER[/ORDER[=SIZE]]". NUMBER: float64, float32, fp16, fp16-eager,
// fp16-accumulate, bf16, bf16-eager, fp8, mp50, mp100, mpfr. ORDER (not for mp*): two-pass,
// online=BLOCK, split-kv=PARTS, merge-tree=PARTS, ring=DEVICES, chunked-prefill=QUERIES (1:
// decoding with a cache); the sizes default to 16, 3, 3, 3 and 4, and go up to 2^20. Error:
// input_error for anything else.
backend find_backend(std::string_view name);

// Result: the names that `attest list` shows and `attest check` without a subject runs.
std::span<const std::string_view> all_backends();

}  // namespace attest
