// What the numbers of a graph are held as: one rounding for each operation, and what a contract
// allows to functions that have no exact value. Statement: derivation/bounds/graphs.md.
#pragma once

#include <span>

#include "properties/onnx/graph/ranged.h"
#include "reference/contract/contract.h"

namespace attest {

// How a function is evaluated.
enum class accuracy : std::uint8_t {
  exact,  // it gives one of its operands, its opposite, or an integer
  rounded,
  quotient,     // and a square root: division_ulps
  exponential,  // exp_ulps, and its argument times a rounded constant
  logarithm,
  tangent,  // tanh_error
  sigmoid,  // by an exponential or by a tanh
  erf,
  power,  // by an exponential and a logarithm
};

using interval_function = interval (*)(std::span<const interval>);

class graph_arithmetic {
 public:
  // The contract outlives it.
  explicit graph_arithmetic(const contract& kept) : kept_(kept) {}

  // Computes: f of numbers, as numbers of the format; integers and booleans where it is nullptr.
  // Special: NaN for NaN, and where each operand is certain and f of them is none (0 * inf).
  ranged apply(interval_function, accuracy, std::span<const ranged* const>, const format*) const;

  // Computes: the sum, added in any order. Domain: one number or more.
  ranged sum(std::span<const ranged* const>, const format*) const;

  // Computes: the number, known exactly, as the format holds it.
  ranged converted(const ranged&, const format&) const;

 private:
  interval rounded(const interval&, const format&) const;
  interval evaluated(const interval& result, std::span<const interval> operands, accuracy,
                     const format&) const;
  interval with_errors(const interval&, double relative, double absolute) const;

  const contract& kept_;
};

}  // namespace attest
