// Tensors of which each number is known twice: as the definition has it, and as those hold it who
// evaluate the definition under a contract.
//
// Both are intervals: `exact` holds the exact value, `held` every number that an evaluation may
// hold. Operators map both by the same function; only what is held is rounded, too. So there is no
// law of error propagation to be proved: derivation/bounds/graphs.md. Booleans are 0 and 1, [0, 1]
// where it is open which.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/exchange/array.h"
#include "reference/multiprecision/interval_functions.h"

namespace attest {

struct ranged {
  interval exact, held;  // the whole line: nothing is known, it may be NaN
  bool is_nan = false;   // for certain, both

  static ranged known(double x) { return {interval(x), interval(x), false}; }
  static ranged nan() { return {{}, {}, true}; }
  static ranged unknown() { return {interval::whole_line(), interval::whole_line(), false}; }
};

bool is_unknown(const ranged&);
// Whether it is one number, the same for all.
bool is_certain(const ranged&);

struct ranged_tensor {
  element_kind kind = element_kind::floating;
  const format* element = nullptr;  // of floating ones
  std::vector<std::int64_t> sizes;
  std::vector<ranged> values;  // in row-major order

  std::int64_t rank() const { return static_cast<std::int64_t>(sizes.size()); }
  bool has_type_of(const ranged_tensor& other) const;
};

// "f32", "integer", "boolean".
std::string type_text(const ranged_tensor&);

// No tensor of a graph has more elements, or axes.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 17;
inline constexpr std::size_t most_axes = 16;

// Computes: the number of elements. Domain: no size is below 0.
// Error: not_taken where there are more elements or axes than that.
std::int64_t count_of(const std::vector<std::int64_t>& sizes);

// Domain: what of a graph's sizes was counted. Calls visit(index) for each index, the last axis
// fastest.
void for_each_place(const std::vector<std::int64_t>& sizes,
                    const std::function<void(const std::vector<std::int64_t>&)>& visit);

// Computes: the place in row-major order of an index of a tensor to which `sizes` broadcasts; the
// last axes are aligned.
std::size_t place_in(const std::vector<std::int64_t>& sizes,
                     const std::vector<std::int64_t>& index);

// Result: the sizes that both broadcast to; nothing where they do not.
std::optional<std::vector<std::int64_t>> broadcast_sizes(const std::vector<std::int64_t>&,
                                                         const std::vector<std::int64_t>&);

}  // namespace attest
