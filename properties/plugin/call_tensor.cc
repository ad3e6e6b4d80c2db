#include "properties/plugin/call_tensor.h"

#include <algorithm>
#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

std::uint32_t dtype_of(const format& element) {
  for (std::uint32_t i = 0; i < plugin_dtypes.size(); ++i)
    if (*plugin_dtypes[i] == element) return i;
  throw input_error("inputs of " + std::string(element.name) + " can't be given to a plugin");
}

}  // namespace

const std::array<const format*, 7> plugin_dtypes{&f64,       &f32,     &f16,    &bf16,
                                                 &f8_e4m3fn, &f8_e4m3, &f8_e5m2};

call_tensor describe(std::uint32_t dtype, void* storage, std::size_t width,
                     const placement& where) {
  call_tensor t;
  t.storage = static_cast<std::byte*>(storage);
  t.bytes = static_cast<std::size_t>(where.elements) * width;
  t.where = &where;
  t.shown.size = sizeof t.shown;
  t.shown.dtype = dtype;
  t.shown.data = t.storage + where.offset * static_cast<std::int64_t>(width);
  std::copy(where.sizes.begin(), where.sizes.end(), t.shown.sizes);
  std::copy(where.strides.begin(), where.strides.end(), t.shown.strides);
  return t;
}

call_tensor describe(tensor& t) {
  return describe(dtype_of(t.element()), t.data(), static_cast<std::size_t>(t.width()), t.where());
}

}  // namespace attest
