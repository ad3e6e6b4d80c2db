// A tensor of a call, and the storage that it lies in.
#pragma once

#include <array>
#include <cstddef>

#include "properties/attest_plugin.h"
#include "reference/tensors/tensor.h"

namespace attest {

struct call_tensor {
  attest_tensor shown{};         // as the plugin sees it where nothing is copied
  std::byte* storage = nullptr;  // perhaps still where there are no elements
  std::size_t bytes = 0;
  const placement* where = nullptr;  // of the elements in the storage

  bool present() const { return where != nullptr; }
};

// Points into the storage and the placement, which must outlive it. width: of an element, in bytes.
call_tensor describe(std::uint32_t dtype, void* storage, std::size_t width, const placement&);
// Error: input_error when the elements have a format that no plugin can be given.
call_tensor describe(tensor&);

// Element types in the order of enum attest_dtype.
extern const std::array<const format*, 7> plugin_dtypes;

}  // namespace attest
