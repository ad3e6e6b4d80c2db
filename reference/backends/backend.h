// Built-in evaluations of the definition, in a chosen arithmetic and order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/contract/contract.h"
#include "reference/problems/problem.h"

namespace attest {

// How the rows of a staged backend are evaluated.
enum class evaluation_order : std::uint8_t {
  two_pass,  // all scores, then the maximum, the sum and the mix
  online,    // blocks of keys with a running maximum and rescaling
  split_kv,  // parts of the keys evaluated apart (each online), then merged
};

struct backend {
  std::string name;          // "float32", "fp16-eager/online=16"
  std::string about;
  const contract* keeps;     // the contract that it keeps; nullptr: a multiprecision one
  std::vector<const format*> inputs;  // that it is offered for

  // Computes: o, and lse where given, into tensors of the right sizes, any layout.
  void (*evaluate)(const backend&, const problem&, tensor& o, tensor* lse);
  evaluation_order order = evaluation_order::two_pass;
  std::int64_t size = 0;  // keys in a block, or parts
};

// A number and an order, "NUMBER[/ORDER[=SIZE]]". NUMBER: float64, float32, fp16, fp16-eager, fp16-accumulate,
// bf16, bf16-eager, fp8, mp50, mp100, mpfr. ORDER (not for mp*): two-pass, online=BLOCK, split-kv=PARTS; the sizes
// default to 16 and 3.
// Error: input_error for anything else.
backend find_backend(std::string_view name);

// Result: the names that `attest list` shows and `attest check` without a subject runs.
std::span<const std::string_view> all_backends();

}  // namespace attest
