// Elements at other places, unchanged.
#pragma once

#include <utility>

#include "properties/onnx/graph/ranged.h"

namespace attest {

// Computes: the tensor of these sizes whose element at an index is that of x at from(index).
template <class From>
ranged_tensor moved(const ranged_tensor& x, std::vector<std::int64_t> sizes, From from) {
  ranged_tensor result{x.kind, x.element, std::move(sizes), {}};
  for_each_place(result.sizes, [&](const std::vector<std::int64_t>& i) {
    result.values.push_back(x.values[place_in(x.sizes, from(i))]);
  });
  return result;
}

}  // namespace attest
