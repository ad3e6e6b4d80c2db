#include "reference/tensors/tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "reference/formats/rounding.h"

namespace attest {
namespace {

// Strides of a dense array whose axes lie in the given order, slowest first, the last one spaced by
// `unit`.
index4 dense_strides(const index4& sizes, const std::array<int, 4>& slow_to_fast,
                     std::int64_t unit) {
  index4 strides{};
  for (int k = 3; k >= 0; --k) {
    strides[slow_to_fast[k]] = unit;
    unit *= sizes[slow_to_fast[k]];
  }
  return strides;
}

std::int64_t product(const index4& s) { return s[0] * s[1] * s[2] * s[3]; }

constexpr std::array<int, 4> bhld_order{0, 1, 2, 3};
constexpr std::array<int, 4> blhd_order{0, 2, 1, 3};

placement dense(const index4& sizes, const std::array<int, 4>& order) {
  return {sizes, dense_strides(sizes, order, 1), 0, product(sizes)};
}

// The middle third of rows that hold three [H, D] blocks.
placement fused_slice(const index4& sizes) {
  const std::int64_t row = sizes[1] * sizes[3];
  return {sizes, {sizes[2] * 3 * row, sizes[3], 3 * row, 1}, row, 3 * product(sizes)};
}

placement reversed_axis(const index4& sizes, std::size_t axis) {
  placement p = dense(sizes, bhld_order);
  if (sizes[axis] > 0) p.offset = (sizes[axis] - 1) * p.strides[axis];
  p.strides[axis] = -p.strides[axis];
  return p;
}

placement spread_elements(const index4& sizes) {
  return {sizes, dense_strides(sizes, bhld_order, 2), 0, 2 * product(sizes)};
}

placement shared_batch(const index4& sizes) {
  placement p = dense({1, sizes[1], sizes[2], sizes[3]}, bhld_order);
  p.sizes = sizes;
  p.strides[0] = 0;
  return p;
}

// Within one head the last position lies beyond 2^32 elements. Before the first element there is
// room for what 32 bits with a sign make of such an offset: a wrong address that is no crash.
placement far_apart(const index4& sizes) {
  constexpr std::int64_t reach = std::int64_t{1} << 32, room = std::int64_t{1} << 31;
  const std::int64_t step = reach / std::max<std::int64_t>(sizes[2] - 1, 1) + 1;
  const std::int64_t head = step * sizes[2], batch = head * sizes[1];
  return {sizes, {batch, head, step, 1}, room, room + batch * sizes[0] + sizes[3], true};
}

byte_storage storage_for(const placement& where, int width) {
  const std::size_t bytes = static_cast<std::size_t>(where.elements * width);
  return where.reserved ? byte_storage::reserve(bytes) : byte_storage(bytes);
}

}  // namespace

placement place(layout how, const index4& sizes) {
  switch (how) {
    case layout::bhld:
      return dense(sizes, bhld_order);
    case layout::blhd:
      return dense(sizes, blhd_order);
    case layout::fused:
      return fused_slice(sizes);
    case layout::reversed:
      return reversed_axis(sizes, 2);
    case layout::spread:
      return spread_elements(sizes);
    case layout::mirrored:
      return reversed_axis(sizes, 3);
    case layout::shared:
      return shared_batch(sizes);
    case layout::far:
      return far_apart(sizes);
  }
  return dense(sizes, bhld_order);
}

placement broadcast(const index4& sizes, unsigned axes) {
  index4 kept{};
  for (int axis = 0; axis < 4; ++axis) kept[axis] = (axes >> axis & 1) != 0 ? sizes[axis] : 1;
  placement p = dense(kept, bhld_order);
  for (int axis = 0; axis < 4; ++axis)
    if ((axes >> axis & 1) == 0) p.strides[axis] = 0;
  p.sizes = sizes;
  return p;
}

tensor::tensor(const format& element, const placement& where, std::uint64_t fill)
    : element_(&element), where_(where), storage_(storage_for(where, element.storage_bits / 8)) {
  if (where.reserved)
    for_each_index(where.sizes, [&](const index4& i) { set_bits(i, fill); });
  else
    for (std::int64_t i = 0; i < where.elements; ++i) set_bits_at(i, fill);
}

tensor::tensor(const tensor& other)
    : element_(other.element_), where_(other.where_), storage_(other.storage_) {
  if (storage_.only_reserved())
    for_each_index(sizes(), [&](const index4& i) { set_bits(i, other.bits(i)); });
}

tensor& tensor::operator=(const tensor& other) { return *this = tensor(other); }

bool tensor::same_bytes(const tensor& other) const {
  if (storage_.size() != other.storage_.size()) return false;
  if (!storage_.only_reserved())
    return storage_.size() == 0 ||
           std::memcmp(storage_.data(), other.storage_.data(), storage_.size()) == 0;
  bool same = true;
  for_each_index(sizes(), [&](const index4& i) { same = same && bits(i) == other.bits(i); });
  return same;
}

void tensor::set(const index4& i, double value) { set_bits(i, encode(*element_, value)); }

// Little-endian copies of the low bytes: the layers are built for little-endian machines only.
static_assert(std::endian::native == std::endian::little);

// Numbers that the machine has, without the detour over bits.
template <class Number>
static void read_numbers(const std::byte* from, std::int64_t stride, std::span<double> row) {
  for (double& value : row) {
    Number number = 0;
    std::memcpy(&number, from, sizeof number);
    value = static_cast<double>(number);
    from += stride * static_cast<std::int64_t>(sizeof number);
  }
}

void tensor::read(std::int64_t b, std::int64_t h, std::int64_t l, std::span<double> row) const {
  std::int64_t position = where_.at({b, h, l, 0});
  const std::byte* const from = storage_.data() + position * width();
  if (*element_ == f32) return read_numbers<float>(from, where_.strides[3], row);
  if (*element_ == f64) return read_numbers<double>(from, where_.strides[3], row);
  for (double& value : row) {
    value = decode_at(position);
    position += where_.strides[3];
  }
}

std::uint64_t tensor::bits_at(std::int64_t position) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, storage_.data() + position * width(), static_cast<std::size_t>(width()));
  return bits;
}

void tensor::set_bits_at(std::int64_t position, std::uint64_t bits) {
  std::memcpy(storage_.data() + position * width(), &bits, static_cast<std::size_t>(width()));
}

double tensor::decode_at(std::int64_t position) const {
  return decode(*element_, bits_at(position));
}

}  // namespace attest
