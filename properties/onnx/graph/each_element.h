// What operators on each element share: sizes that broadcast, types that fit, one result for each
// element or pair.
#pragma once

#include <functional>

#include "properties/onnx/graph/operator_call.h"

namespace attest {

// A result without elements, of the type of x, or of booleans.
ranged_tensor of_type(const ranged_tensor& x);
ranged_tensor booleans();

// Error: input_error for another type.
void require_numbers(const operator_call&, const ranged_tensor&);
void require_floating(const operator_call&, const ranged_tensor&);
void require_booleans(const operator_call&, const ranged_tensor&);
// Error: not_taken for two types.
void require_same_type(const ranged_tensor&, const ranged_tensor&);

// Result: the sizes that both broadcast to. Error: input_error where they do not.
std::vector<std::int64_t> common_sizes(const operator_call&, const ranged_tensor&,
                                       const ranged_tensor&);

// Computes: f of each element, and of each pair of elements of tensors that broadcast, with the
// type of `result`.
ranged_tensor with_each(const ranged_tensor& x, ranged_tensor result,
                        const std::function<ranged(const ranged&)>& f);
ranged_tensor with_each_pair(const operator_call&, const ranged_tensor& a, const ranged_tensor& b,
                             ranged_tensor result,
                             const std::function<ranged(const ranged&, const ranged&)>& f);

// Computes: f of one number or of two, as graph_arithmetic::apply.
ranged applied(const operator_call&, interval_function f, accuracy, const ranged& x,
               const format* element);
ranged applied(const operator_call&, interval_function f, accuracy, const ranged& x,
               const ranged& y, const format* element);

}  // namespace attest
